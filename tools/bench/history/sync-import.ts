import { sql } from 'kysely';
import { createPageReader, MESSAGES_PER_PAGE } from '../../../activities/sessions/history-page.ts';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import { indexInPassing } from '../../../db/conversations/search/due.ts';
import type { Database } from '../../../db/engine/database.ts';
import { NO_CHANGES } from '../../../db/network/changes/shown.ts';
import { toColumns } from '../../../db/network/network-message.ts';
import { nextChat } from '../../../db/network/sync/chats.ts';
import { takeUpRun } from '../../../db/network/sync/run.ts';
import { noteWanted, wantChat } from '../../../db/network/sync/want.ts';
import { run } from '../../../db/engine/rows.ts';
import { findSessionById } from '../../../db/sessions/session.ts';
import type { NetworkMessage } from '../../../domain/network/network-event.ts';
import { DatabaseBooks } from '../database-cost.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { calledPer, statementsSoFar } from '../statement-list.ts';
import { median, round } from '../statistics.ts';
import { layGround, openDatabase } from '../webhook-ground.ts';

const MESSAGES = 20_000;
const ROUNDS = 3;
const PAGES = MESSAGES / MESSAGES_PER_PAGE;
const SESSION = 'ses_bench_0';
const OF = { agencyId: 'bench', tenantId: 'shop-0', sessionId: SESSION };
const CHAT = '15552000000@c.us';
const LIMITS = { messagesPerChat: 1_000_000, messagesPerSession: 1_000_000, days: 0, everyMs: 0 };
const MAX_STATEMENTS = 10;

/**
 * Measures how fast pages of an account's past are written, beside the same rows by plain `unnest` inserts into tables
 * of the same shape, the words for the search among them; counts the statements of a page.
 */
export async function syncImport(machine: Machine): Promise<Result[]> {
  const rates: { imported: number; raw: number; statements: number }[] = [];
  for (let n = 0; n < ROUNDS; n += 1) {
    await machine.newSeries();
    const database = await openDatabase(machine.databaseUrl, 2);
    const books = await DatabaseBooks.open(machine.databaseUrl);
    try {
      await layGround(database, [[]]);
      const imported = await writeImported(database, books);
      rates.push({ ...imported, raw: await writeRaw(database) });
    } finally {
      await books.close();
      await database.close();
    }
  }
  const imported = median(rates.map((each) => each.imported));
  const raw = median(rates.map((each) => each.raw));
  const statements = median(rates.map((each) => each.statements));
  return [
    {
      path: `import of ${MESSAGES.toLocaleString('en')} messages of a chat, the part of the database`,
      measured: `${round(imported, 0)} /s`,
      baseline: `plain unnest of the same rows ${round(raw, 0)} /s`,
      ratio: imported / raw,
      aim: '≥ 0.4',
      met: imported / raw >= 0.4,
    },
    {
      path: `a page of ${MESSAGES_PER_PAGE} messages`,
      measured: `${round(statements, 1)} statements`,
      baseline: '',
      ratio: null,
      aim: `≤ ${MAX_STATEMENTS}`,
      met: statements <= MAX_STATEMENTS,
    },
  ];
}

/** A page of the past, the newest first. */
function pageAt(page: number): NetworkMessage[] {
  return Array.from({ length: MESSAGES_PER_PAGE }, (_, n) => {
    const number = page * MESSAGES_PER_PAGE + n;
    return {
      networkId: `PAST${number}`,
      chatId: CHAT,
      fromMe: number % 3 === 0,
      source: 'app',
      kind: 'text',
      body: `What was said as number ${number}, a while before anybody listened to it.`,
      timestamp: 1_700_000_000 - number * 60,
      ack: number % 3 === 0 ? 3 : null,
      hasMedia: false,
      media: null,
      participant: null,
      pushName: null,
      aliases: [],
      replyToNetworkId: null,
    };
  });
}

async function writeImported(
  database: Database,
  books: DatabaseBooks,
): Promise<{ imported: number; statements: number }> {
  const conversation = await database.transaction((tx) => ensureConversation(tx, OF, { chatId: CHAT }));
  const reading = await database.transaction(async (tx) => {
    await noteWanted(tx, SESSION, { cause: 'asked', pages: 0 });
    await wantChat(tx, { sessionId: SESSION, conversationId: conversation.id, chatId: CHAT }, null);
    return takeUpRun(tx, SESSION, LIMITS);
  });
  const session = await database.read((queries) => findSessionById(queries, SESSION));
  if (!session || reading === undefined) throw new Error('The run has not begun.');
  const pages = createPageReader({
    database,
    backends: { of: () => ({ listMessages: () => Promise.reject(new Error('It is not asked.')) }) },
  });
  const from = await statementsSoFar(books);
  const startedAt = performance.now();
  for (let page = 0; page < PAGES; page += 1) {
    const chat = await database.read((queries) => nextChat(queries, SESSION));
    if (!chat) throw new Error('No chat waits to be read.');
    await pages.write(session, reading, chat, {
      items: pageAt(page),
      listed: MESSAGES_PER_PAGE,
      changes: NO_CHANGES,
    });
  }
  // The words are part of what is imported, though they are indexed after the pages.
  await indexInPassing(database, Infinity);
  const imported = MESSAGES / ((performance.now() - startedAt) / 1_000);
  const called = calledPer([from, await statementsSoFar(books)], PAGES, { between: [from, from], share: 0 });
  const calls = [...called.values()].map((each) => each.calls).filter((each) => each >= 0.5);
  return { imported, statements: calls.reduce((sum, each) => sum + each, 0) };
}

/** Inserts the rows that an import writes, with their indexes and without anything that an import must know. */
async function writeRaw(database: Database): Promise<number> {
  await database.transaction(async (tx) => {
    for (const table of ['message', 'message_text']) {
      await run(tx)`create table ${sql.table(`raw_${table}`)} (like ${sql.table(table)} including all)`;
    }
  });
  const startedAt = performance.now();
  for (let page = 0; page < PAGES; page += 1) {
    await database.transaction(async (tx) => {
      const rows = pageAt(page).map((message) => toColumns(message, 'history', tx.now));
      const each = <Key extends keyof (typeof rows)[number]>(key: Key) => rows.map((row) => row[key]);
      await run(tx)`
        insert into raw_message (id, agency_id, tenant_id, session_id, conversation_id, direction, origin, kind, body,
          network_id, occurred_at, status, ack)
        select g.id, ${OF.agencyId}, ${OF.tenantId}, ${SESSION}, 'cnv_bench', g.direction, 'history', 'text', g.body,
          g.network_id, g.at, g.status, g.ack
        from unnest(${each('id')}::text[], ${each('direction')}::text[], ${each('body')}::text[],
          ${each('networkId')}::text[], ${each('at')}::timestamptz[], ${each('status')}::text[],
          ${each('ack')}::smallint[]) as g(id, direction, body, network_id, at, status, ack)`;
      await run(tx)`
        insert into raw_message_text (agency_id, tenant_id, occurred_at, message_id, words)
        select ${OF.agencyId}, ${OF.tenantId}, g.at, g.id, to_tsvector('simple', g.body)
        from unnest(${each('id')}::text[], ${each('body')}::text[], ${each('at')}::timestamptz[]) as g(id, body, at)`;
    });
  }
  return MESSAGES / ((performance.now() - startedAt) / 1_000);
}
