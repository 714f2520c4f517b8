import { beforeEach, describe, expect, it } from '@jest/globals';
import { promptText } from '../../../domain/agent/prompt/prompt.ts';
import { changeRows, findRows, json, not } from '../../support/rows.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { anAgent } from './a-turn.ts';
import type { Scripted } from './a-turn.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\nthe rest', 'latin1');
const unstorable: Scripted = { outcome: 'reply', text: 'Yes.\u0000' };

const { database, sessionId } = await databaseOfThisFile();
const agent = anAgent(database, sessionId);
const { begun } = agent;

describe('answerTurn: what the agent asks a model', () => {
  beforeEach(() => {
    agent.script();
    agent.asked.length = 0;
    agent.prompts.length = 0;
    delete agent.files.next;
  });

  const turnOf = async (id: string) => (await agent.turnsOf(id))[0];
  const used = async () => {
    const uses = await findRows(database, 'aiUsage', { contactId: '', tenantId: not('') }, ['tokens']);
    return uses.reduce((sum, { tokens }) => sum + Number(tokens), 0);
  };

  it('is asked three times of each model at the most, whatever goes wrong, and all of it is on record and paid for', async () => {
    const id = await agent.write(agent.person(), 'Hello?');
    const turn = await begun(id);
    const before = await used();
    agent.script(...Array.from({ length: 20 }, () => unstorable));
    await agent.answerAsTemporal(turn);
    expect(agent.asked).toEqual(['first', 'first', 'first', 'second', 'second', 'second']);
    const ended = await turnOf(id);
    expect(ended).toMatchObject({ outcome: 'handoff', inputTokens: 540, outputTokens: 60, costMicros: 30 });
    expect(ended?.modelCalls.map(({ model, error }) => [model, error])).toEqual(
      ['first', 'first', 'first', 'second', 'second', 'second'].map((model) => [model, 'internal']),
    );
    expect((await used()) - before).toBe(600);
  });

  it('is given up after a few lost workers, too, and no model is gone back to', async () => {
    const id = await agent.write(agent.person(), 'Hello?');
    const turn = await begun(id);
    // A worker that is lost puts nothing on record: the workflow sees attempts that fail.
    const lost = async (): Promise<never> => {
      await changeRows(database, 'aiTurn', { modelCalls: json([]) }, { id: turn });
      throw new Error('The worker is gone.');
    };
    agent.script(...Array.from({ length: 40 }, () => lost));
    await agent.answerAsTemporal(turn, 2);
    await changeRows(database, 'aiTurn', { modelCalls: json([]) }, { id: turn });
    expect(agent.asked).toEqual(['first', 'first', 'second', 'second']);
    expect(await turnOf(id)).toMatchObject({ outcome: 'handoff', modelsTried: ['first', 'second'] });
  });

  it('has what its messages say and not what came later, which has its own answer', async () => {
    const chat = agent.person();
    const id = await agent.write(chat, 'A first question');
    const turn = await begun(id);
    await agent.write(chat, 'A later question');
    await agent.answer(turn);
    await agent.settle(id);
    const [first, second] = agent.prompts.map(promptText);
    expect(first).toContain('A first question');
    expect(first).not.toContain('A later question');
    expect(second).toMatch(/A first question[\s\S]*Yes\.[\s\S]*A later question/);
  });

  it('has all the messages of a long burst, and what finds no room is on record', async () => {
    const chat = agent.person();
    let id = '';
    for (let n = 0; n < 30; n += 1) id = await agent.write(chat, `part ${n} of it`);
    await agent.settle(id);
    expect(promptText(agent.prompts[0] ?? fail())).toMatch(/part 0 of it[\s\S]*part 29 of it/);
    expect((await turnOf(id))?.outputNotes).toEqual([]);
    for (let n = 0; n < 30; n += 1) id = await agent.write(chat, `${n} ${'words '.repeat(500)}`);
    await agent.settle(id);
    expect((await turnOf(id))?.outputNotes).toEqual(['messages_left_out']);
  });

  it('sees the images that it is asked about, and where they are refused is asked without, once', async () => {
    const chat = agent.person();
    const media = { url: 'http://backend/a.png', mimeType: 'image/png', fileName: null, error: null };
    const id = await agent.write(chat, 'What is this?', { kind: 'image', hasMedia: true, media });
    agent.files.next = PNG;
    agent.script({ fails: 'request_refused' });
    await agent.settle(id);
    const attached = () => agent.prompts.map(({ messages }) => messages.flatMap(({ media: files }) => files).length);
    expect(attached()).toEqual([1, 0]);
    expect(promptText(agent.prompts[1] ?? fail())).toContain('[image] What is this?');
    expect(await turnOf(id)).toMatchObject({
      outcome: 'reply',
      modelCalls: [{ error: 'request_refused' }, { inputTokens: 90 }],
    });
    await agent.write(chat, 'And now?');
    await agent.settle(id);
    expect(attached()).toEqual([1, 0, 0]);
  });

  it('that is cut short is paid for by what was asked', async () => {
    const id = await agent.write(agent.person(), 'Hello?');
    const turn = await begun(id);
    const before = await used();
    agent.script({ fails: 'timeout' });
    await agent.answer(turn);
    const [cut] = (await turnOf(id))?.modelCalls ?? [];
    expect(cut).toMatchObject({ error: 'timeout', inputTokens: expect.any(Number) });
    expect((await used()) - before).toBe((cut?.inputTokens ?? 0) + 100);
  });
});

function fail(): never {
  throw new Error('It was not asked.');
}
