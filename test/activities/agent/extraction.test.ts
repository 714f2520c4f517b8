import { describe, expect, it } from '@jest/globals';
import { extractFacts } from '../../../activities/agent/memories.ts';
import { ModelError } from '../../../adapters/models/error.ts';
import { recordUsage } from '../../../db/agent/usage.ts';
import { deleteMemoriesOf } from '../../../db/agent/forget-memory.ts';
import { updatePersona } from '../../../db/tenants/tenant.ts';
import type { Proposals } from '../../../domain/agent/extraction.ts';
import type { Persona } from '../../../domain/agent/sales-agent.ts';
import { SCOPE } from '../../db/a-database.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { anEndedTurn, aTalk, remember } from '../../db/agent/a-talk.ts';
import { above, countRows, deleteRows, findRow, findRows, fromNow } from '../../support/rows.ts';
import { aScriptedModel } from '../../adapters/models/a-scripted-model.ts';

const SIGNAL = new AbortController().signal;
type Proposal = Proposals['facts'][number];
const proposal = (fact: string, more: Partial<Proposal> = {}): Proposal => ({
  fact,
  category: 'need',
  evidence: 'm1',
  confidence: 0.9,
  expiresInDays: null,
  supersedes: null,
  ...more,
});

const { database, sessionId } = await databaseOfThisFile();

describe('what the agent learns from a turn', () => {
  let people = 0;

  const somebody = (...texts: string[]) => aTalk(database, sessionId, `15550130${String((people += 1) + 100)}`, texts);
  const knownOf = (contactId: string) =>
    findRows(
      database,
      'memory',
      { contactId },
      {
        fact: 'fact',
        category: 'category',
        source: 'source',
        evidence: 'evidenceMessageId',
        turn: 'turnId',
        supersededBy: 'supersededBy',
      },
      'id',
    );
  const setPersona = (change: Partial<Persona>) => database.transaction((tx) => updatePersona(tx, SCOPE, change));
  const reserved = () => countRows(database, 'aiReservation');
  /** Runs the extraction; answers what the model was shown. */
  async function learn(turnId: string, ...facts: Proposal[]): Promise<string[]> {
    const { models, seen } = aScriptedModel({ propose: () => ({ facts }) });
    await extractFacts({ database, models }, turnId, SIGNAL);
    return seen;
  }

  it('has its message, its turn and an end, and costs what is recorded', async () => {
    const talk = await somebody('I need a boat for ten people');
    const turnId = await anEndedTurn(database, sessionId, talk);
    const [shown] = await learn(turnId, proposal('Needs a boat for ten people'));
    expect(shown).toContain('<newest label="m1">I need a boat for ten people</newest>');
    expect(await knownOf(talk.contactId)).toEqual([
      {
        fact: 'Needs a boat for ten people',
        category: 'need',
        source: 'ai_extracted',
        evidence: talk.messageIds[0],
        turn: turnId,
        supersededBy: null,
      },
    ]);
    // The agency's, the tenant's and the contact's.
    expect(await countRows(database, 'aiUsage', { contactId: ['', talk.contactId], tokens: 110, costMicros: 5 })).toBe(
      3,
    );
    expect(await reserved()).toBe(0);
    const columns = { calls: 'modelCalls', model: 'model', input: 'inputTokens', cost: 'costMicros' } as const;
    const turn = await findRow(database, 'aiTurn', { id: turnId }, columns);
    expect(turn).toMatchObject({
      calls: [{ model: 'scripted', purpose: 'facts', costMicros: 5 }],
      input: 100,
      cost: '5',
    });
    expect(turn).toMatchObject({ model: null });
    expect(await countRows(database, 'memory', { expiresAt: above(fromNow({ days: 364 })) })).toBe(1);
  });

  it('is asked for once a turn', async () => {
    const talk = await somebody('I need a boat');
    const turnId = await anEndedTurn(database, sessionId, talk);
    expect(await learn(turnId)).toHaveLength(1);
    expect(await learn(turnId, proposal('Needs a boat'))).toEqual([]);
    expect(await knownOf(talk.contactId)).toEqual([]);
  });

  it('replaces what it contradicts, and goes with its message so that the old holds again', async () => {
    const talk = await somebody('I need a boat', 'No, two');
    const [first, second] = talk.messageIds;
    const turnOf = (id = '') => anEndedTurn(database, sessionId, { ...talk, messageIds: [id] });
    await learn(await turnOf(first), proposal('Needs one boat'));
    const shown = await learn(await turnOf(second), proposal('Needs two boats', { supersedes: 'k1' }));
    expect(shown[0]).toContain('<known-fact label="k1" category="need">Needs one boat</known-fact>');
    expect(shown[0]).toContain('<earlier from="customer">I need a boat</earlier>');
    expect(await knownOf(talk.contactId)).toMatchObject([
      { fact: 'Needs one boat', supersededBy: expect.stringMatching(/^mem_/) },
      { fact: 'Needs two boats', supersededBy: null },
    ]);
    await database.transaction((tx) => deleteMemoriesOf(tx, [second ?? '']));
    expect(await knownOf(talk.contactId)).toMatchObject([{ fact: 'Needs one boat', supersededBy: null }]);
  });

  it('is of this contact: others are neither shown nor changed', async () => {
    const other = await somebody('Secret');
    await remember(database, other.contactId, 'Needs a secret boat', { category: 'need', source: 'ai_extracted' });
    const talk = await somebody('I need a boat');
    // A turn that names a message of somebody else gets no evidence from it.
    const turnId = await anEndedTurn(database, sessionId, {
      id: talk.id,
      messageIds: [...other.messageIds, ...talk.messageIds],
    });
    const facts = [proposal('Needs a boat', { supersedes: 'k1' }), proposal('Has a secret', { evidence: 'm2' })];
    const [shown] = await learn(turnId, ...facts);
    expect(shown).not.toMatch(/secret/i);
    expect(await knownOf(talk.contactId)).toMatchObject([{ fact: 'Needs a boat', evidence: talk.messageIds[0] }]);
    expect(await knownOf(other.contactId)).toMatchObject([{ fact: 'Needs a secret boat', supersededBy: null }]);
  });

  it('is nothing where its message went while the model was asked', async () => {
    const talk = await somebody('I need a boat');
    const turnId = await anEndedTurn(database, sessionId, talk);
    const { models } = aScriptedModel({
      async propose() {
        await deleteRows(database, 'message', { id: talk.messageIds[0] });
        return { facts: [proposal('Needs a boat')] };
      },
    });
    await extractFacts({ database, models }, turnId, SIGNAL);
    expect(await knownOf(talk.contactId)).toEqual([]);
  });

  it('is nothing, and fails nothing, where the model gives no answer', async () => {
    const talk = await somebody('I need a boat');
    const turnId = await anEndedTurn(database, sessionId, talk);
    const { models } = aScriptedModel({ propose: () => Promise.reject(new ModelError('rate_limited')) });
    await extractFacts({ database, models }, turnId, SIGNAL);
    expect(await knownOf(talk.contactId)).toEqual([]);
    expect(await reserved()).toBe(0);
  });

  it.each([
    ['a person had the conversation', { outcome: 'silence', silenceCode: 'human' }],
    ['it looked like a loop', { outcome: 'silence', silenceCode: 'loop' }],
    ['it still runs', { outcome: 'running' }],
  ])('is not asked for where %s', async (_why, end) => {
    const talk = await somebody('I need a boat');
    expect(await learn(await anEndedTurn(database, sessionId, talk, end), proposal('Needs a boat'))).toEqual([]);
  });

  it('is asked for where nothing needed an answer, and not of messages without words', async () => {
    const end = { outcome: 'silence', silenceCode: 'nothing_to_answer' };
    expect(await learn(await anEndedTurn(database, sessionId, await somebody('Fine, Tuesday'), end))).toHaveLength(1);
    expect(await learn(await anEndedTurn(database, sessionId, await somebody(''), end))).toEqual([]);
  });

  it('is not asked for where the persona says no, is off, or has spent its budget', async () => {
    const turnId = await anEndedTurn(database, sessionId, await somebody('I need a boat'));
    await setPersona({ extractMemories: false });
    expect(await learn(turnId)).toEqual([]);
    await setPersona({ extractMemories: true, active: false });
    expect(await learn(turnId)).toEqual([]);
    await setPersona({ active: true, maxTokensPerDay: 50_000 });
    const spender = { ...SCOPE, contactId: null };
    const much = { replies: 0, tokens: 49_000, costMicros: 0 };
    await database.transaction((tx) => recordUsage(tx, spender, much));
    expect(await learn(turnId)).toEqual([]);
    expect(await reserved()).toBe(0);
    await setPersona({ maxTokensPerDay: 0 });
    expect(await learn(turnId)).toHaveLength(1);
  });
});
