import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { AGAIN_TYPES } from '../../db/promise-again.ts';
import { RECONCILE, WORKFLOWS } from '../../domain/workflows.ts';
import * as workflows from '../../workflows/index.ts';

const PAGE = readFileSync(new URL('../../docs/operate/temporal-ui.md', import.meta.url), 'utf8');

/** The table "Workflow ids" as the registry says it, a line each. */
const LINES = [
  ...Object.entries(WORKFLOWS).map(([type, { kind, key, oneForEach, waitsFor }]) =>
    lineOf(`${kind}/<${key}>`, type, oneForEach, waitsFor),
  ),
  lineOf(`${RECONCILE.workflowId}-<${RECONCILE.key}>`, RECONCILE.type, RECONCILE.oneForEach, RECONCILE.waitsFor),
];

function lineOf(id: string, type: string, oneForEach: string, waitsFor: string): string {
  return `| \`${id}\` | \`${type}\` | ${oneForEach} | ${waitsFor} |`;
}

/** Returns a sentence for each line of the page that differs from the registry. */
function differences(page: string): string[] {
  const [, table = ''] = /\n## Workflow ids\n+([^]*?)\n\n/.exec(page) ?? [];
  const shown = table
    .split('\n')
    .slice(2)
    .map((line) => line.replaceAll(/ +/g, ' '));
  return [
    ...LINES.filter((line) => !shown.includes(line)).map(
      (line) =>
        `Write this line into "Workflow ids" of docs/operate/temporal-ui.md, as domain/workflows.ts says it: ${line}`,
    ),
    ...shown
      .filter((line) => !LINES.includes(line))
      .map((line) => `Remove this line from docs/operate/temporal-ui.md, or change domain/workflows.ts: ${line}`),
  ];
}

describe('the operators’ table of ids', () => {
  it('says of each workflow what the registry says', () => {
    expect(differences(PAGE)).toEqual([]);
  });

  it('is refused where it lacks a workflow, or says something else of one', () => {
    const planted = PAGE.replace(/\n\| `rehearsal\/.*/, '').replace('after 30 idle minutes', 'after an hour');
    const found = differences(planted);
    expect(found).toHaveLength(3);
    expect(found[0]).toMatch(/^Write this line .* `aiConversation` .* 30 idle minutes/);
    expect(found[1]).toMatch(/^Write this line .* `rehearsal\/<rehearsalId>`/);
    expect(found[2]).toMatch(/^Remove this line .* after an hour/);
  });
});

describe('the registry of workflows', () => {
  it('has an entry for each workflow that workers run, and for no other', () => {
    expect([...Object.keys(WORKFLOWS), RECONCILE.type].toSorted()).toEqual(Object.keys(workflows).toSorted());
  });

  it('has each workflow that is promised again in an ordinary run of the reconcile, once', () => {
    const steps = readFileSync(new URL('../../activities/reconcile.ts', import.meta.url), 'utf8');
    const run = [...steps.matchAll(/\bagain\('(\w+)'\)/g)].map(([, type = '']) => type);
    expect(run.toSorted()).toEqual(AGAIN_TYPES.toSorted());
  });
});
