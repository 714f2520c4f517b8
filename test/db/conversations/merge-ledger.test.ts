import { beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { createReconcileActivities } from '../../../activities/reconcile.ts';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import { keepMemory } from '../../../db/agent/memory.ts';
import { findUnfinishedMerge, moveLeftMessages } from '../../../db/conversations/merge.ts';
import { adoptChatId } from '../../../db/conversations/contact.ts';
import {
  addMessages,
  addRow,
  ago,
  changeRows,
  countRows,
  emptyTables,
  findRows,
  planOf,
  refuseRows,
} from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { anAgent } from '../agent/a-turn.ts';
import { aPerson } from './a-person.ts';

/** As many as a merge moves at once beside what is open. */
const AT_ONCE = 1_000;

const { database, sessionId } = await databaseOfThisFile();
const agent = anAgent(database, sessionId);
const { send, contactOf } = aPerson(database, sessionId);

describe('the ledger of merges', () => {
  beforeEach(() => emptyTables(database, 'contact_merge', 'merge_move'));

  const moves = () =>
    findRows(database, 'mergeMove', {}, { kind: 'kind', from: 'fromId', into: 'intoId', ids: 'ids' }, 'id');
  const idsOf = async (kind: string) => (await moves()).flatMap((move) => (move.kind === kind ? move.ids : []));

  it('says which message named both, how all was before, and what moved from where', async () => {
    const phone = agent.person();
    const hidden = phone.replace('@c.us', '@lid');
    const offer = await send(phone, 'Our offer');
    const b = await agent.write(hidden, 'Is it still there?', { pushName: 'Ada', networkId: 'ASKED' });
    const waiting = await send(hidden, 'Yes');
    const [into, from] = [await contactOf(phone), await contactOf(hidden)];
    const memory = await database.transaction((tx) =>
      keepMemory(
        tx,
        { ...SCOPE, contactId: from },
        {
          fact: 'Likes blue',
          category: 'preference',
          source: 'api',
          evidenceMessageId: null,
          turnId: null,
          confidence: null,
          expiresAt: null,
          supersedes: null,
        },
      ),
    );
    await agent.hands(b, 'human_takeover');
    await agent.write(hidden, 'from my phone', { fromMe: true, networkId: 'PARKED' });
    const asked = await findRows(database, 'message', { networkId: 'ASKED' }, ['id']);

    await agent.write(hidden, 'Hello?', { aliases: [phone], networkId: 'BOTH' });

    const merges = await findRows(
      database,
      'contactMerge',
      {},
      {
        agency: 'agencyId',
        tenant: 'tenantId',
        from: 'fromContactId',
        into: 'intoContactId',
        cause: 'cause',
        session: 'sessionId',
        networkId: 'networkId',
        chatIds: 'chatIds',
        before: 'before',
      },
    );
    expect(merges).toEqual([
      {
        agency: SCOPE.agencyId,
        tenant: SCOPE.tenantId,
        from,
        into,
        cause: 'message',
        session: sessionId,
        networkId: 'BOTH',
        chatIds: [hidden, phone],
        before: {
          contacts: expect.arrayContaining([
            expect.objectContaining({ id: from, chat_id: hidden, push_name: 'Ada' }),
            expect.objectContaining({ id: into, chat_id: phone, push_name: null }),
          ]),
          usage: null,
          usageDays: [],
          listed: null,
        },
      },
    ]);
    const [conversation] = await findRows(database, 'mergeMove', { kind: 'conversation', fromId: b }, ['before']);
    expect(conversation?.before).toMatchObject({
      from: { id: b, mode: 'human_takeover', epoch: 1, contact_id: from, chat_id: hidden, last_seq: 1 },
      into: { id: offer.conversationId, mode: 'bot_active', epoch: 0, contact_id: into },
      places: { [waiting.messageId]: 1 },
    });
    expect(JSON.stringify(conversation)).not.toContain('Is it still there?');
    expect(await idsOf('message')).toEqual(expect.arrayContaining([asked[0]?.id, waiting.messageId]));
    expect(await idsOf('contact_alias')).toEqual([hidden]);
    expect(await idsOf('memory')).toEqual([memory.id]);
    expect(await idsOf('parked_own_message')).toEqual(['PARKED']);
    expect(await idsOf('handover')).toHaveLength(1);
    expect(await idsOf('ai_turn')).not.toEqual([]);
  });

  it('says so, too, where the check of a number found it out', async () => {
    const [ours, theirs] = [agent.person(), agent.person()];
    const { conversationId } = await send(ours, 'one');
    const other = await send(theirs, 'two');
    await database.transaction((tx) => adoptChatId(tx, conversationId, theirs));
    expect(await findRows(database, 'contactMerge', {}, ['cause', 'networkId', 'chatIds'])).toEqual([
      { cause: 'number_check', networkId: null, chatIds: [theirs] },
    ]);
    expect((await moves()).find(({ kind }) => kind === 'conversation')).toMatchObject({
      from: conversationId,
      into: other.conversationId,
    });
  });

  describe('of a long conversation', () => {
    const LENGTH = 2_500;

    async function aLongTalk(chatId: string): Promise<string> {
      const { id } = await database.transaction((tx) => ensureConversation(tx, { ...SCOPE, sessionId }, { chatId }));
      await addMessages(database, id, LENGTH, (n) => ({
        id: `msg_${id}_${n}`,
        origin: 'history',
        body: `${n}`,
        occurredAt: ago({ minutes: n }),
      }));
      return id;
    }

    const ownersOf = async (conversationId: string) => {
      const owned = await findRows(database, 'message', { conversationId }, ['contactId']);
      return [...new Set(owned.map(({ contactId }) => contactId))];
    };

    it('has what is open and the newest moved at once, and the rest step by step', async () => {
      const phone = agent.person();
      const hidden = phone.replace('@c.us', '@lid');
      const long = await aLongTalk(hidden);
      const { conversationId } = await send(phone, 'Our offer');
      const queued = await send(hidden, 'waits behind all that');
      const later = await send(hidden, 'later', new Date(Date.now() + 3_600_000));
      await changeRows(
        database,
        'message',
        { occurredAt: ago({ days: 365 }) },
        { id: [queued.messageId, later.messageId] },
      );
      await agent.write(hidden, 'Hello?', { aliases: [phone] });

      const open = [queued.messageId, later.messageId];
      expect(await idsOf('message')).toHaveLength(AT_ONCE + open.length);
      expect(await idsOf('message')).toEqual(expect.arrayContaining(open));
      const left = () => countRows(database, 'message', { conversationId: long });
      expect(await left()).toBe(LENGTH - AT_ONCE);
      const newest = await findRows(database, 'message', { conversationId, origin: 'history' }, ['body'], {
        newestFirst: 'occurredAt',
      });
      expect(newest.slice(0, 3).map(({ body }) => body)).toEqual(['1', '2', '3']);

      const sizes: number[] = [];
      for (let before = await left(); before > 0; before = await left()) {
        await database.transaction((tx) => moveLeftMessages(tx, long, 700));
        sizes.push(before - (await left()));
      }
      expect(sizes).toEqual([700, 700, 100]);
      expect(await database.read(findUnfinishedMerge)).toBeNull();
      const all = await idsOf('message');
      expect(all).toHaveLength(LENGTH + open.length);
      expect(new Set(all).size).toBe(all.length);
      expect(await ownersOf(conversationId)).toEqual([await contactOf(phone)]);
    });

    it('has its messages given to the person who they turned out to be, also where only the person changes', async () => {
      const phone = agent.person();
      const hidden = phone.replace('@c.us', '@lid');
      const long = await aLongTalk(hidden);
      // The phone is known from another account of the tenant.
      await addRow(database, 'contact', { ...SCOPE, id: `con_${phone}`, chatId: phone });
      await addRow(database, 'contactAlias', { ...SCOPE, chatId: phone, contactId: `con_${phone}` });
      expect(await agent.write(hidden, 'Hello?', { aliases: [phone] })).toBe(long);
      while ((await database.read(findUnfinishedMerge)) !== null)
        await database.transaction((tx) => moveLeftMessages(tx, long, AT_ONCE));
      expect(await ownersOf(long)).toEqual([`con_${phone}`]);
      expect((await moves()).find(({ kind }) => kind === 'conversation_contact')).toMatchObject({ ids: [long] });
    });

    it('has its rest moved though that of another cannot be', async () => {
      const longOnes: string[] = [];
      for (let n = 0; n < 2; n += 1) {
        const phone = agent.person();
        const hidden = phone.replace('@c.us', '@lid');
        longOnes.push(await aLongTalk(hidden));
        await send(phone, 'Our offer');
        await agent.write(hidden, 'Hello?', { aliases: [phone] });
      }
      const [first = '', second = ''] = longOnes.toSorted();
      const left = (id: string) => countRows(database, 'message', { conversationId: id });
      const mend = await refuseRows(database, 'mergeMove', {
        on: 'insert',
        where: { fromId: first },
        isOwnFault: true,
      });
      const { reconcileRows } = createReconcileActivities({ database });
      expect((await reconcileRows({ all: false })).failed).toEqual(['merged']);
      expect([await left(first), await left(second)]).toEqual([LENGTH - AT_ONCE, 0]);
      await mend();
      expect((await reconcileRows({ all: false })).failed).toEqual([]);
      expect(await left(first)).toBe(0);
    });

    it('is found by indexes alone, however many conversations there are', async () => {
      const plans = await Promise.all(
        [
          sql`select id from conversation where merged_into = 'cnv_1'`,
          sql`select id from conversation where unfinished_merge is not null order by id limit 1`,
          sql`select id from message where conversation_id = 'cnv_1' and status in ('scheduled', 'uncertain')`,
        ].map((query) => planOf(database, query)),
      );
      expect(plans).toEqual([
        expect.stringContaining('conversation_merged'),
        expect.stringContaining('conversation_unfinished_merge'),
        expect.stringContaining('message_undecided'),
      ]);
    });
  });
});
