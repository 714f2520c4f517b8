import { tmpdir } from 'node:os';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createDirectoryStore } from '../../../adapters/media-store/directory.ts';
import { createModels } from '../../../adapters/models/models.ts';
import { ModelError } from '../../../adapters/models/error.ts';
import { createRehearsalActivities, rehearseAll } from '../../../activities/agent/rehearsal.ts';
import { createBackends } from '../../../adapters/backend/backends.ts';
import { createCleanUp } from '../../../db/maintenance.ts';
import { findRehearsal, insertRehearsal } from '../../../db/agent/rehearsal.ts';
import { applyChange } from '../../../db/network/changes/change.ts';
import { updatePersona } from '../../../db/tenants/tenant.ts';
import type { RehearsalRequest } from '../../../domain/agent/rehearsal.ts';
import { SCOPE } from '../../db/a-database.ts';
import { aRevoke } from '../../db/network/message-change.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { aTalk, remember } from '../../db/agent/a-talk.ts';
import { above, addRow, atLeast, changeRows, countRows, deleteRows, findRows, not } from '../../support/rows.ts';
import { aScriptedModel } from '../../adapters/models/a-scripted-model.ts';

const GIVEN = { messages: [{ from: 'contact' as const, text: 'Do you have boats?' }] };

const { database, sessionId } = await databaseOfThisFile();

/** Whoever is asked is not there. */
function nobodyToAsk() {
  const baseUrl = 'http://127.0.0.1:9';
  return {
    models: createModels({ models: [{ id: 'none', provider: 'openai-compatible' }], baseUrl, apiKey: 'none' }),
    backends: createBackends([]),
    media: { store: createDirectoryStore(tmpdir()), maxBytes: 1 },
  };
}

describe('runRehearsal: a rehearsal', () => {
  beforeAll(async () => {
    await database.transaction((tx) => updatePersona(tx, SCOPE, { agentName: 'Ada', splitReplies: false }));
    await remember(database, null, 'Opens at nine');
  });

  async function rehearse(request: Partial<RehearsalRequest>, script: Parameters<typeof aScriptedModel>[0]) {
    const asked = { repeat: 1, includePrompt: false, ...request };
    const id = await database.transaction((tx) => insertRehearsal(tx, { ...SCOPE, sessionId }, asked));
    const { models, seen } = aScriptedModel(script);
    const run = () =>
      rehearseAll({ database, models, withMedia: async (context) => context }, id, new AbortController().signal);
    await run();
    const rehearsal = await database.read((queries) => findRehearsal(queries, id));
    if (!rehearsal) throw new Error('The rehearsal is there.');
    return { ...rehearsal, seen, run };
  }

  it('tries two personas side by side, as often as asked for, and tells what each would send', async () => {
    const { results, status, seen } = await rehearse(
      {
        ...GIVEN,
        repeat: 2,
        includePrompt: true,
        contactMemories: ['Has a dog'],
        compareWith: { agentName: 'Bob', allowedLinks: ['shop.example'] },
      },
      { decide: () => ({ outcome: 'reply', text: 'See **https://shop.example/boats**' }) },
    );
    expect(status).toBe('done');
    expect(results.map(({ variant, run, persona }) => [variant, run, persona.name])).toEqual([
      ['persona', 1, 'Ada'],
      ['compareWith', 1, 'Bob'],
      ['persona', 2, 'Ada'],
      ['compareWith', 2, 'Bob'],
    ]);
    const [ada, bob] = results;
    expect(ada).toMatchObject({ decision: 'reply', notes: ['markdown_removed', 'link_removed'], model: 'scripted' });
    expect(ada?.reply).not.toContain('shop.example');
    expect(bob).toMatchObject({ reply: 'See https://shop.example/boats', parts: ['See https://shop.example/boats'] });
    expect(bob).toMatchObject({ tokens: { input: 100, output: 10 }, costMicros: 5, ms: 1 });
    expect(new Set(results.map(({ prompt }) => prompt))).toEqual(new Set(seen));
    expect(ada?.prompt).toMatch(/Your name is Ada[\s\S]*Opens at nine[\s\S]*Has a dog[\s\S]*Do you have boats\?/);
  });

  it('of a conversation knows what the agent knows there, and writes nothing but itself and what it cost', async () => {
    const talk = await aTalk(database, sessionId, '15550140001', ['Two boats, please']);
    await remember(database, talk.contactId, 'Sails alone');
    const rows = async () => ({
      messages: await countRows(database, 'message'),
      turns: await countRows(database, 'aiTurn'),
      memories: await countRows(database, 'memory'),
      events: await countRows(database, 'event'),
      tenants: await findRows(database, 'tenant'),
    });
    const before = await rows();
    const { results, seen } = await rehearse(
      { conversationId: talk.id },
      { decide: () => ({ outcome: 'handoff', reason: 'A large order', text: 'One moment.' }) },
    );
    expect(results).toMatchObject([{ decision: 'handoff', handoffReason: 'A large order', reply: 'One moment.' }]);
    expect(results[0]).not.toHaveProperty('prompt');
    expect(seen[0]).toMatch(/Sails alone[\s\S]*Two boats, please/);
    expect(await rows()).toEqual(before);
    expect(
      await countRows(database, 'aiUsage', { contactId: '', tenantId: not(''), tokens: atLeast(110), replies: 0 }),
    ).toBe(1);
    expect(await countRows(database, 'aiUsage', { contactId: talk.contactId })).toBe(0);
  });

  it('tells why a model gave no answer, beside the one that did, and asks nobody a second time', async () => {
    const { results, run, seen } = await rehearse(
      { ...GIVEN, compareWith: { agentName: 'Bob' } },
      {
        decide({ prompt }) {
          if (prompt.instructions.includes('Bob')) throw new ModelError('context_too_long');
          return { outcome: 'silence' };
        },
      },
    );
    expect(results).toMatchObject([
      { decision: 'silence', reply: null, parts: [] },
      { decision: null, error: { code: 'context_too_long', message: expect.any(String) } },
    ]);
    expect(await countRows(database, 'aiReservation')).toBe(0);
    await run();
    expect(seen).toHaveLength(2);
  });

  it('that breaks in one run has the results of the others, and what failed is paid for', async () => {
    const use = { model: 'scripted', inputTokens: 700_000, outputTokens: 1, costMicros: 9, ms: 1 };
    let runs = 0;
    const { results, status } = await rehearse(
      { ...GIVEN, repeat: 3 },
      {
        decide() {
          runs += 1;
          if (runs === 1) throw new TypeError('A bug of ours.');
          if (runs === 2) throw new ModelError('unreadable_answer', { use });
          return { outcome: 'reply', text: 'Yes.' };
        },
      },
    );
    expect(status).toBe('done');
    expect(new Set(results.map(({ reply, error }) => reply ?? error?.code))).toEqual(
      new Set(['Yes.', 'internal', 'unreadable_answer']),
    );
    expect(await countRows(database, 'aiUsage', { contactId: '', tenantId: not(''), tokens: above(700000) })).toBe(1);
    await deleteRows(database, 'aiUsage');
    await addRow(database, 'aiUsage', {
      agencyId: SCOPE.agencyId,
      tenantId: SCOPE.tenantId,
      contactId: '',
      day: database.clock.now(),
      tokens: 110,
    });
  });

  it('of a conversation goes with a message that its sender takes back there', async () => {
    const talk = await aTalk(database, sessionId, '15550140003', ['My secret']);
    const { id } = await rehearse({ conversationId: talk.id }, {});
    await changeRows(database, 'message', { networkId: 'taken-back' }, { id: talk.messageIds[0] });
    await database.transaction((tx) => applyChange(tx, sessionId, { change: aRevoke('taken-back'), tells: true }));
    expect(await countRows(database, 'rehearsal', { id })).toBe(0);
  });

  it('spends the budget of the tenant, whatever the persona that it tries says', async () => {
    await database.transaction((tx) => updatePersona(tx, SCOPE, { maxTokensPerDay: 1 }));
    const { results, seen } = await rehearse({ ...GIVEN, persona: { maxTokensPerDay: 0 } }, {});
    expect(results).toMatchObject([{ error: { code: 'budget' } }]);
    expect(seen).toEqual([]);
    await database.transaction((tx) => updatePersona(tx, SCOPE, { maxTokensPerDay: 0 }));
  });

  it('failRehearsal: has failed when nobody could run it, unless it has ended before', async () => {
    const request = { ...GIVEN, repeat: 1, includePrompt: false };
    const id = await database.transaction((tx) => insertRehearsal(tx, { ...SCOPE, sessionId }, request));
    const { failRehearsal } = createRehearsalActivities({ database, ...nobodyToAsk() });
    await failRehearsal({ rehearsalId: id });
    expect(await database.read((queries) => findRehearsal(queries, id))).toMatchObject({
      status: 'failed',
      errorCode: 'internal',
    });
    const { id: done } = await rehearse(GIVEN, {});
    await failRehearsal({ rehearsalId: done });
    expect(await database.read((queries) => findRehearsal(queries, done))).toMatchObject({ status: 'done' });
  });

  it('of a conversation without messages fails, as does one that nobody runs, and is forgotten after a week', async () => {
    const talk = await aTalk(database, sessionId, '15550140002', []);
    const { id, status, errorCode } = await rehearse({ conversationId: talk.id }, {});
    expect({ status, errorCode }).toEqual({ status: 'failed', errorCode: 'nothing_said' });
    const request = { ...GIVEN, repeat: 1, includePrompt: false };
    const stuck = await database.transaction((tx) => insertRehearsal(tx, { ...SCOPE, sessionId }, request));
    database.clock.advance(2 * 3_600_000);
    await createCleanUp(database)();
    expect(await countRows(database, 'rehearsal', { id: stuck, status: 'failed' })).toBe(1);
    database.clock.advance(8 * 86_400_000);
    await createCleanUp(database)();
    expect(await countRows(database, 'rehearsal', { id })).toBe(0);
  });
});
