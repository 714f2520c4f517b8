import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { loadContext } from '../../db/context.ts';
import type { Database } from '../../db/database.ts';
import { applyNetworkEvent } from '../../db/ingest.ts';
import { cleanUp } from '../../db/maintenance.ts';
import { deleteMemoriesOf, forgetMemory } from '../../db/forget-memory.ts';
import { findMemory, listMemories } from '../../db/memory.ts';
import { adoptChatId } from '../../db/recipient.ts';
import { findSessionById } from '../../db/session.ts';
import { rowsOf } from '../support/rows.ts';
import { aDatabase, aWorkingSession, SCOPE } from './a-database.ts';
import { aTalk, remember } from './a-talk.ts';

const DAY_MS = 86_400_000;
const PAGE = { category: null, includeSuperseded: false, limit: 100, after: null };

describe('what is remembered', () => {
  let database: Database;
  let sessionId: string;

  beforeAll(async () => {
    database = await aDatabase();
    sessionId = await aWorkingSession(database);
  }, 60_000);
  afterAll(() => database.close());

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
    await database.transaction((tx) => cleanUp(tx));
    expect(await find(id)).toBeNull();
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
      const revoked = { kind: 'revoked' as const, key: 'revoked:third', networkId: 'third' };
      await rowsOf(database, sql`update message set network_id = 'third' where id = ${messageIds[2]}`);
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
    const told = await aTalk(database, sessionId, '555191234567', ['I sell boats']);
    const real = await aTalk(database, sessionId, '5551991234567', ['It is me']);
    await remember(database, told.contactId, 'Sells boats', { evidenceMessageId: told.messageIds[0] ?? null });
    await remember(database, real.contactId, 'Has a harbour');
    await database.transaction((tx) => adoptChatId(tx, told.id, '5551991234567@c.us'));
    expect((await factsOf(real.contactId)).toSorted()).toEqual(['Has a harbour', 'Sells boats']);
    expect(await factsOf(told.contactId)).toEqual([]);
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
