import { afterAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { createEvaluator, FLOW_FUNCTIONS, READY_FLOWS } from '../../../domain/flows/index.ts';
import { answers, lines, nobodyAnswers, validFlow, walk } from './walk.ts';
import type { World } from './walk.ts';

const page = readFileSync(new URL('../../../docs/guides/workflows.md', import.meta.url), 'utf8');
const { evaluate, close } = createEvaluator();
afterAll(close);

describe('the guide of workflows', () => {
  const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
  const flow = validFlow(example, 'yaml');
  const run = async (world: World) =>
    lines(await walk(flow, { evaluate, facts: { params: { assignee: 'ann' } }, world }));
  const taskOf = ({ path }: { path: string }) => path.split('/').at(-1);

  it('has an example that asks, reminds once after a day, and hands over', async () => {
    expect(flow.trigger).toEqual({ event: 'message', isFirst: true });
    expect(await run(() => answers('Ada'))).toEqual([
      'ask: Hello! What is your name?',
      'assignHuman: Gives the name Ada',
    ]);
    expect(await run((todo) => (taskOf(todo) === 'ask' ? nobodyAnswers : answers('Ada')))).toEqual([
      'ask: Hello! What is your name?',
      'ask: May we ask for your name?',
      'assignHuman: Gives the name Ada',
    ]);
    expect(await run(() => nobodyAnswers)).toHaveLength(3);
  });

  it('names each function and each ready definition', () => {
    for (const name of [...Object.keys(FLOW_FUNCTIONS), ...READY_FLOWS]) expect(page).toContain(`\`${name}\``);
  });

  it('is short', () => {
    expect(page.split('\n').length).toBeLessThanOrEqual(151);
  });
});
