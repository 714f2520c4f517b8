import { describe, expect, it } from '@jest/globals';
import { recordUsage } from '../../../db/agent/usage.ts';
import { loadContext } from '../../../db/agent/context.ts';
import { applyNetworkEvent } from '../network/apply-event.ts';
import { aRevoke } from '../network/message-change.ts';
import { createCleanUp } from '../../../db/maintenance.ts';
import { deleteMemoriesOf, forgetMemory, forgetWeakest } from '../../../db/agent/forget-memory.ts';
import { findMemory, listMemories } from '../../../db/agent/memory.ts';
import { adoptChatId } from '../../../db/conversations/contact.ts';
import { findSessionById } from '../../../db/sessions/session.ts';
import type { NetworkEvent } from '../../../domain/network/network-event.ts';
import { addRows, changeRows, databaseNow, findRows } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { aTalk, remember } from './a-talk.ts';
import { anAgent } from './a-turn.ts';

const DAY_MS = 86_400_000;
const PAGE = { category: null, includeSuperseded: false, limit: 100, after: null };

const { database, sessionId } = await databaseOfThisFile();

describe('what is remembered', () => {
  const factsOf = async (contactId: string | null, more: Partial<typeof PAGE> = {}): Promise<string[]> => {
    const page = { ...PAGE, ...more };
    const found = await database.read((queries) => listMemories(queries, { ...SCOPE, contactId }, page));
    return found.map(({ fact }) => fact);
  };
  const find = (id: string) => database.read((queries) => findMemory(queries, SCOPE, id));

  it('is kept once, however often and by how many at a time it is said', async () => {
    const { contactId } = await aTalk(database, sessionId, '15550110001', []);
    const same = ['Likes blue boats', 'likes BLUE boats', 'Likes blue boats.', ' likes, blue boats!'];
    const kept = await Promise.all(same.map((fact) => remember(database, contactId, fact)));
    expect(new Set(kept.map(({ id }) => id)).size).toBe(1);
    expect(kept.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(await factsOf(contactId)).toHaveLength(1);
    const other = await aTalk(database, sessionId, '15550110002', []);
    expect((await remember(database, other.contactId, 'Likes blue boats')).isNew).toBe(true);
    expect((await remember(database, null, 'Likes blue boats')).isNew).toBe(true);
  });

  it('holds as long as anybody says, and is gone after that', async () => {
    const { contactId } = await aTalk(database, sessionId, '15550110003', []);
    const inDays = (days: number) => new Date(database.clock.now().getTime() + days * DAY_MS);
    const { id } = await remember(database, contactId, 'Is on holiday', { expiresAt: inDays(5) });
    await remember(database, contactId, 'Is on holiday', { expiresAt: inDays(9) });
    expect((await find(id))?.expiresAt?.getTime()).toBeGreaterThan(inDays(8).getTime());
    await remember(database, contactId, 'Works at home', { expiresAt: inDays(3) });
    await remember(database, contactId, 'Works at home', { expiresAt: null });
    const worked = await remember(database, contactId, 'Works at home', { expiresAt: inDays(3) });
    expect((await find(worked.id))?.expiresAt ?? null).toBeNull();
    database.clock.advance(10 * DAY_MS);
    expect(await factsOf(contactId)).toEqual(['Works at home']);
    expect((await remember(database, contactId, 'Is on holiday')).isNew).toBe(true);
    await createCleanUp(database)();
    expect(await find(id)).toBeNull();
  });

  it('becomes the word of who enters it, and is not taken back with the message that it was extracted from', async () => {
    const { contactId, messageIds } = await aTalk(database, sessionId, '15550110031', ['I sail', 'I do sail']);
    const [first = '', second = ''] = messageIds;
    const end = { expiresAt: new Date(database.clock.now().getTime() + DAY_MS) };
    const extracted = { source: 'ai_extracted', confidence: 0.7, ...end };
    const { id } = await remember(database, contactId, 'Sails', { ...extracted, evidenceMessageId: first });
    await remember(database, contactId, 'sails!', { ...extracted, confidence: 0.6, evidenceMessageId: second });
    expect(await find(id)).toMatchObject({ evidenceMessageId: second, confidence: 0.7 });
    await database.transaction((tx) => deleteMemoriesOf(tx, [first]));
    expect(await factsOf(contactId)).toEqual(['Sails']);
    const entered = await remember(database, contactId, 'sails', { category: 'personal', source: 'crm' });
    expect(entered).toEqual({ id, isNew: false });
    const raised = { source: 'crm', category: 'personal', confidence: null, evidenceMessageId: null, expiresAt: null };
    expect(await find(id)).toMatchObject(raised);
    await remember(database, contactId, 'Sails.', { ...extracted, evidenceMessageId: second });
    expect(await find(id)).toMatchObject(raised);
    await database.transaction((tx) => deleteMemoriesOf(tx, [second]));
    expect(await factsOf(contactId)).toEqual(['Sails']);
  });

  it('is a hundred extracted facts of a contact at the most: the weakest go', async () => {
    const { id, contactId } = await aTalk(database, sessionId, '15550110032', []);
    const owner = { ...SCOPE, contactId };
    await addRows(database, 'memory', 150, (n) => ({
      ...SCOPE,
      id: `mem_bound${n}`,
      contactId,
      fact: `Fact ${n}`,
      factKey: `fact ${n}`,
      category: 'need',
      source: n > 120 ? 'manual' : 'ai_extracted',
      confidence: n > 120 ? null : n / 200,
      createdAt: databaseNow,
    }));
    await database.transaction((tx) => forgetWeakest(tx, owner));
    const facts = await factsOf(contactId, { limit: 200 });
    expect(facts).toHaveLength(130);
    expect(facts).not.toContain('Fact 20');
    expect(facts).toContain('Fact 21');
    const scope = { ...SCOPE, sessionId, conversationId: id };
    const context = await database.read((queries) => loadContext(queries, scope, 20));
    const sources = context?.memories.map(({ source }) => source) ?? [];
    expect(sources.slice(0, 20).every((source) => source === 'manual')).toBe(true);
    expect(sources.slice(20)).toEqual(Array.from({ length: 10 }, () => 'ai_extracted'));
    expect(context?.memories[20]?.fact).toBe('Fact 120');
  });

  describe('and replaced by what contradicts it', () => {
    const chain = async (phone: string) => {
      const talk = await aTalk(database, sessionId, phone, ['I like tea', 'coffee', 'milk']);
      const [first, second, third] = talk.messageIds;
      const keep = (fact: string, evidence = '', supersedes: string | null = null) =>
        remember(database, talk.contactId, fact, { evidenceMessageId: evidence, supersedes });
      const tea = await keep('Likes tea', first);
      const coffee = await keep('Likes coffee', second, tea.id);
      const milk = await keep('Likes milk', third, coffee.id);
      return { ...talk, tea, coffee, milk };
    };

    it('is no longer listed but to who asks, and leads to what replaced it', async () => {
      const { contactId, tea, coffee } = await chain('15550110011');
      expect(await factsOf(contactId)).toEqual(['Likes milk']);
      const all = await factsOf(contactId, { includeSuperseded: true });
      expect(all).toEqual(['Likes milk', 'Likes coffee', 'Likes tea']);
      expect((await find(tea.id))?.supersededBy).toBe(coffee.id);
    });

    it('holds again when the message is gone that contradicted it', async () => {
      const { contactId, messageIds } = await chain('15550110012');
      await database.transaction((tx) => deleteMemoriesOf(tx, messageIds.slice(1)));
      expect(await factsOf(contactId)).toEqual(['Likes tea']);
    });

    it('holds again when somebody takes that message back, which the agent no longer reads', async () => {
      const { id, contactId, messageIds } = await chain('15550110015');
      const scope = { ...SCOPE, sessionId, conversationId: id };
      const revoked = aRevoke('third');
      await changeRows(database, 'message', { networkId: 'third' }, { id: messageIds[2] });
      for (const _again of [1, 2]) {
        await database.transaction(async (tx) => {
          const session = await findSessionById(tx, sessionId);
          if (session) await applyNetworkEvent(tx, session, revoked);
        });
      }
      expect(await factsOf(contactId)).toEqual(['Likes coffee']);
      const context = await database.read((queries) => loadContext(queries, scope, 20));
      expect(context?.messages.map(({ body }) => body)).toEqual(['I like tea', 'coffee']);
    });

    it('is not read from a message that was taken back before it came', async () => {
      const apply = (event: NetworkEvent) =>
        database.transaction(async (tx) => {
          const session = await findSessionById(tx, sessionId);
          if (session) await applyNetworkEvent(tx, session, event);
        });
      await apply(aRevoke('early'));
      const agent = anAgent(database, sessionId);
      const conversationId = await agent.write('15550110041@c.us', 'My secret', { networkId: 'early' });
      const scope = { ...SCOPE, sessionId, conversationId };
      const context = await database.read((queries) => loadContext(queries, scope, 20));
      expect(context?.messages).toEqual([]);
      await agent.settle(conversationId);
      expect(agent.asked).toEqual([]);
    });

    it('stays replaced when a message in between is gone', async () => {
      const { contactId, messageIds, tea, milk } = await chain('15550110013');
      await database.transaction((tx) => deleteMemoriesOf(tx, messageIds.slice(1, 2)));
      expect(await factsOf(contactId, { includeSuperseded: true })).toEqual(['Likes milk', 'Likes tea']);
      expect((await find(tea.id))?.supersededBy).toBe(milk.id);
    });

    it('is forgotten with what replaced it', async () => {
      const { contactId, coffee } = await chain('15550110014');
      expect(await database.transaction((tx) => forgetMemory(tx, SCOPE, coffee.id))).toBe(true);
      expect(await factsOf(contactId, { includeSuperseded: true })).toEqual(['Likes milk']);
      expect(await database.transaction((tx) => forgetMemory(tx, SCOPE, coffee.id))).toBe(false);
    });
  });

  it('of somebody who turns out to be somebody else follows to who stays', async () => {
    const told = await aTalk(database, sessionId, '15551230041', ['I sell boats']);
    const real = await aTalk(database, sessionId, '15551230042', ['It is me']);
    await remember(database, told.contactId, 'Sells boats', { evidenceMessageId: told.messageIds[0] ?? null });
    await remember(database, real.contactId, 'Has a harbour');
    await remember(database, told.contactId, 'Has a harbour', { source: 'ai_extracted', confidence: 0.9 });
    const usage = { replies: 1, tokens: 100, costMicros: 3 };
    for (const { contactId } of [told, real]) {
      await database.transaction((tx) => recordUsage(tx, { ...SCOPE, contactId }, usage));
    }
    await database.transaction((tx) => adoptChatId(tx, told.id, '15551230042@c.us'));
    expect((await factsOf(real.contactId)).toSorted()).toEqual(['Has a harbour', 'Sells boats']);
    expect(await factsOf(told.contactId)).toEqual([]);
    const both = { contactId: [told.contactId, real.contactId] };
    expect(await findRows(database, 'aiUsage', both, ['contactId', 'tokens', 'replies'])).toEqual([
      { contactId: real.contactId, tokens: '200', replies: 2 },
    ]);
    const scope = { ...SCOPE, sessionId, conversationId: told.id };
    const context = await database.read((queries) => loadContext(queries, scope, 20));
    expect(context?.contactId).toBe(real.contactId);
    expect(context?.memories.map(({ fact }) => fact).toSorted()).toEqual(['Has a harbour', 'Sells boats']);
  });

  it('is told to the agent best first: what was entered, then the surest; never what is replaced or over', async () => {
    const { id, contactId } = await aTalk(database, sessionId, '15550110021', ['Hello']);
    const extracted = { source: 'ai_extracted' };
    await remember(database, contactId, 'Is fairly sure', { ...extracted, confidence: 0.7 });
    const old = await remember(database, contactId, 'Is out of date', extracted);
    await remember(database, contactId, 'Is entered', { supersedes: old.id });
    await remember(database, contactId, 'Is sure', { ...extracted, confidence: 0.9 });
    const aDay = { expiresAt: new Date(database.clock.now().getTime() + DAY_MS) };
    await remember(database, contactId, 'Is over', aDay);
    database.clock.advance(2 * DAY_MS);
    for (let index = 0; index < 40; index += 1) {
      await remember(database, contactId, `Guess ${index}`, { ...extracted, confidence: 0.1 });
    }
    const scope = { ...SCOPE, sessionId, conversationId: id };
    const context = await database.read((queries) => loadContext(queries, scope, 20));
    const facts = context?.memories.map(({ fact }) => fact) ?? [];
    expect(facts.slice(0, 4)).toEqual(['Is entered', 'Is sure', 'Is fairly sure', 'Guess 39']);
    expect(facts).toHaveLength(30);
    expect(context).toMatchObject({ contactName: 'Name of 15550110021', timeZone: 'UTC' });
    expect(context?.messages).toEqual([expect.objectContaining({ direction: 'in', body: 'Hello', media: null })]);
  });
});
