import { beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { readChatTotal } from '../../../db/conversations/inbox/chat-count.ts';
import { listChats } from '../../../db/conversations/inbox/chats.ts';
import { countNewer, listMessagesFrom } from '../../../db/conversations/inbox/message-pages.ts';
import { indexBeforeSearch } from '../../../db/conversations/search/due.ts';
import { readSearch, searchMessages } from '../../../db/conversations/search/search-messages.ts';
import type { Queries } from '../../../db/engine/tx.ts';
import { searchTerms } from '../../../domain/inbox/search-terms.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { booksWritten, emptyTables, rowsOf } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { applyNetworkEvent } from '../network/apply-event.ts';

// A second connection would make plans of its own in the middle of a count, and write its books when it likes.
const { database, session, sessionId } = await databaseOfThisFile({ poolSize: 1, ownServer: true });
const scope = { ...SCOPE, sessionId: null };
const change = (statement: ReturnType<typeof sql<object>>) => rowsOf(database, statement);

/** Adds chats of 100 messages each, spread over two years: every tenth message is "frequent". */
async function fill(chats: number): Promise<void> {
  await change(sql`
    insert into conversation (id, agency_id, tenant_id, session_id, chat_id, last_message_id, last_message_at)
    select 'c' || n, ${SCOPE.agencyId}, ${SCOPE.tenantId}, ${sessionId}, 'c' || n || '@g.us', 'm' || n,
      now() - n * interval '1 minute' from generate_series(1, ${chats}::int) n on conflict do nothing`);
  await change(sql`
    insert into message (id, agency_id, tenant_id, session_id, conversation_id, direction, origin, kind, body,
      network_id, occurred_at, status)
    select 'm' || n, ${SCOPE.agencyId}, ${SCOPE.tenantId}, ${sessionId}, 'c' || (n % ${chats}::int + 1), 'in',
      'history', 'text', 'message number' || n || case when n % 10 = 0 then ' frequent' else '' end
        || case when n % ${chats * 5}::int = 1 then ' rare' else '' end,
      'm' || n, now() - interval '730 days' + n * interval '730 days' / ${chats * 100}::int, 'received'
    from generate_series(1, ${chats * 100}::int) n on conflict do nothing`);
  while (!(await indexBeforeSearch(database)));
  await change(sql`vacuum analyze message, message_text, conversation`);
}

interface Touched {
  buffers: number;
  seqScans: number;
}

async function total(): Promise<Touched> {
  const [row] = await rowsOf(
    database,
    sql<{ buffers: string; seqScans: string }>`
      select sum(i.heap_blks_hit + i.heap_blks_read + coalesce(i.idx_blks_hit, 0) + coalesce(i.idx_blks_read, 0))::text
        as buffers, (select sum(seq_scan)::text from pg_stat_user_tables
          where relname in ('message', 'message_text', 'conversation')) as "seqScans"
      from pg_statio_user_tables i`,
  );
  return { buffers: Number(row?.buffers ?? 0), seqScans: Number(row?.seqScans ?? 0) };
}

/** Returns the pages that one read touches after planning: the least of three, see the end of this file. */
async function touchedBy(read: (queries: Queries) => Promise<unknown>): Promise<Touched> {
  const readAndCount = () =>
    database.read(async (queries) => {
      await read(queries);
      await booksWritten(queries);
    });
  for (let n = 0; n < 2; n += 1) await readAndCount();
  const counts: Touched[] = [];
  for (let round = 0; round < 3; round += 1) {
    const before = await total();
    await readAndCount();
    const after = await total();
    counts.push({ buffers: after.buffers - before.buffers, seqScans: after.seqScans - before.seqScans });
  }
  const [least] = counts.toSorted((a, b) => a.buffers - b.buffers);
  if (!least) throw new Error('Nothing was counted.');
  return least;
}

const chatPage = (after: { at: string; id: string } | null) => (queries: Queries) =>
  listChats(queries, scope, { sessionId, filter: {}, after, limit: 21, offset: 0 });
const searching = (q: string) => async (queries: Queries) => {
  const { words } = await readSearch(queries, searchTerms(q));
  const filter = { sessionId: null, conversationIds: null, kind: null, fromMe: null, since: null, until: null };
  return searchMessages(queries, scope, { words: words ?? '', filter, after: null, limit: 21 });
};

/** The reads of an inbox, at places that are as deep in it whatever its size. */
async function readsOf(): Promise<Record<string, Touched>> {
  const chats = await database.read((queries) =>
    listChats(queries, scope, { sessionId, filter: {}, after: null, limit: 1_000, offset: 0 }),
  );
  const deep = chats.at(-30);
  if (!deep) throw new Error('There are too few chats.');
  const messages = await database.read((queries) =>
    listMessagesFrom(queries, scope, { conversationId: 'c3', direction: 'older', from: null, limit: 100 }),
  );
  const middle = messages.at(50);
  const from = { at: middle?.at ?? '0', id: middle?.message.id ?? '' };
  const page = (direction: 'older' | 'newer') => (queries: Queries) =>
    listMessagesFrom(queries, scope, { conversationId: 'c3', direction, from, limit: 21 });
  return {
    'the newest chats': await touchedBy(chatPage(null)),
    'chats at the end': await touchedBy(chatPage({ at: deep.at ?? '0', id: deep.id })),
    'the number of chats': await touchedBy((queries) => readChatTotal(queries, sessionId)),
    'older messages': await touchedBy(page('older')),
    'newer messages': await touchedBy(page('newer')),
    'how deep a message is': await touchedBy((queries) =>
      countNewer(queries, scope, { conversationId: 'c3', from, limit: 2_000 }),
    ),
    'a frequent word': await touchedBy(searching('frequent')),
    'a rare word': await touchedBy(searching('rare')),
    'the beginning of a rare word': await touchedBy(searching('rar*')),
    'words in a row': await touchedBy(searching('"number7 rare"')),
    'a word that nobody has said': await touchedBy(searching('nothing')),
  };
}

describe('an inbox of 40,000 messages', () => {
  let few: Record<string, Touched>;
  let many: Record<string, Touched>;

  beforeAll(async () => {
    await fill(40);
    few = await readsOf();
    await emptyTables(database, 'message', 'message_text');
    await fill(400);
    many = await readsOf();
  });

  it('is read without reading any table whole', () => {
    expect(Object.entries(many).filter(([, { seqScans }]) => seqScans > 0)).toEqual([]);
  });

  it('costs what one of 4,000 costs', () => {
    // A larger index is one level deeper, which each of the 24 months pays that a word is looked for in.
    const ofDepth = 2 * 24 + 20;
    const dearer = Object.entries(many).filter(
      ([name, { buffers }]) => buffers > 1.2 * (few[name]?.buffers ?? 0) + ofDepth,
    );
    expect(dearer).toEqual([]);
  });

  it('costs a bounded number of buffers', () => {
    expect(Object.entries(many).filter(([, { buffers }]) => buffers > 1_500)).toEqual([]);
  });
});

describe('a message of a contact', () => {
  it('costs no statement and little more for the search and the lists of chats', async () => {
    let sent = 0;
    const cost = async (): Promise<number> => {
      const hear = () =>
        database.transaction(async (tx) => {
          await applyNetworkEvent(tx, session, {
            kind: 'message',
            key: `cost${++sent}`,
            message: aNetworkMessage({
              networkId: `COST${sent}`,
              chatId: '15550999001@c.us',
              fromMe: false,
              body: 'Is the blue one still there, and what would it cost with a basket?',
              timestamp: Math.floor(database.clock.now().getTime() / 1_000),
            }),
          });
          await booksWritten(tx);
        });
      // Until its plans are made anew, a statement reads more: five times, and once more for a change.
      for (let n = 0; n < 40; n += 1) await hear();
      const counts: number[] = [];
      for (let n = 0; n < 81; n += 1) {
        const { buffers: before } = await total();
        await hear();
        counts.push((await total()).buffers - before);
      }
      // The middle one: a full page or new plans make single messages dearer.
      return counts.toSorted((a, b) => a - b)[40] ?? 0;
    };
    const after = await cost();
    await change(sql`do $$ begin
      alter table message disable trigger message_came;
      alter table conversation disable trigger conversation_touched;
      drop index conversation_updated, conversation_unread, conversation_taken;
    end $$`);
    const before = await cost();

    expect(after).toBeLessThan(before * 1.2);
  });
});
