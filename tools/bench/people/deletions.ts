import { MockActivityEnvironment } from '@temporalio/testing';
import { createGapComparer } from '../../../activities/sessions/gaps.ts';
import type { Database } from '../../../db/engine/database.ts';
import { eraseMessages, erasePerson } from '../../../db/personal-data/erase-person.ts';
import { beginErasure, lockErasure } from '../../../db/personal-data/erasure.ts';
import { sweepRetention } from '../../../db/personal-data/retention.ts';
import { run } from '../../../db/engine/rows.ts';
import { findSessionById } from '../../../db/sessions/session.ts';
import { updateSettings } from '../../../db/tenants/settings.ts';
import type { NetworkMessage } from '../../../domain/network/network-event.ts';
import { DatabaseBooks } from '../database-cost.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { median, round } from '../statistics.ts';
import { layGround, openDatabase } from '../webhook-ground.ts';

const MESSAGES = 100_000;
const CHATS = 500;
/** One transaction of the retention deletes this many, as the worker's loop does. */
const AT_ONCE = 1_000;
const ROUNDS = 3;
const SESSION = 'ses_bench_0';
const TENANT = { agencyId: 'bench', tenantId: 'shop-0' };
const MAX_PLAIN = 6;
/** An audit compares this many chats, each with a page of messages that are all here. */
const AUDITED_CHATS = 5;
const SAID = 20;
const MAX_STATEMENTS = 60;
const DAY_MS = 86_400_000;

/**
 * Measures the retention of 100,000 old messages and the erasure of a person who has as many, beside a plain `delete`
 * of the same rows, and counts the statements of the daily audit of a session.
 */
export async function deletions(machine: Machine): Promise<Result[]> {
  const times: { swept: number; erased: number; plain: number; statements: number }[] = [];
  for (let n = 0; n < ROUNDS; n += 1) {
    await machine.newSeries();
    const database = await openDatabase(machine.databaseUrl, 2);
    const books = await DatabaseBooks.open(machine.databaseUrl);
    try {
      await layGround(database, [[]]);
      await store(database, 'plain', CHATS);
      const plain = await timed(() =>
        database.statement((tx) => run(tx)`delete from message where session_id = ${SESSION}`),
      );
      await store(database, 'swept', CHATS);
      await database.transaction((tx) => updateSettings(tx, TENANT, { messageRetentionDays: 1 }));
      const swept = await timed(() => sweepAll(database));
      await database.transaction((tx) => updateSettings(tx, TENANT, { messageRetentionDays: null }));
      await expectNone(books);
      await store(database, 'erased', 1);
      const erased = await timed(() => eraseOne(database, 'con_erased_1'));
      await expectNone(books);
      times.push({ swept, erased, plain, statements: await auditOnce(database, books) });
    } finally {
      await books.close();
      await database.close();
    }
  }
  const plain = median(times.map((each) => each.plain));
  const line = (path: string, ms: number): Result => ({
    path: `${path} of ${MESSAGES.toLocaleString('en')} messages, the part of the database`,
    measured: `${round(ms / 1_000, 1)} s`,
    baseline: `plain delete of the same rows ${round(plain / 1_000, 1)} s`,
    ratio: ms / plain,
    aim: `≤ ${MAX_PLAIN}`,
    met: ms / plain <= MAX_PLAIN,
  });
  const statements = median(times.map((each) => each.statements));
  return [
    line('retention', median(times.map((each) => each.swept))),
    line('erasure', median(times.map((each) => each.erased))),
    {
      path: 'audit of a session, per day',
      measured: `${round(statements, 0)} statements`,
      baseline: '',
      ratio: null,
      aim: `≤ ${MAX_STATEMENTS}`,
      met: statements <= MAX_STATEMENTS,
    },
  ];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** Stores messages of ten days ago in so many chats, each with its history. */
async function store(database: Database, name: string, chats: number): Promise<void> {
  await database.transaction(async (tx) => {
    await run(tx)`
      insert into contact (id, agency_id, tenant_id, chat_id)
      select ${`con_${name}_`}::text || n, 'bench', 'shop-0', ${`${name}-`}::text || n || '@c.us'
      from generate_series(1, ${chats}::int) n`;
    await run(tx)`
      insert into contact_alias (agency_id, tenant_id, chat_id, contact_id)
      select agency_id, tenant_id, chat_id, id from contact where id like ${`con_${name}_%`}`;
    await run(tx)`
      insert into conversation (id, agency_id, tenant_id, session_id, chat_id, contact_id, last_message_at)
      select 'cnv_' || id, agency_id, tenant_id, ${SESSION}, chat_id, id, now() - interval '10 days'
      from contact where id like ${`con_${name}_%`}`;
    await run(tx)`
      insert into message (id, agency_id, tenant_id, session_id, conversation_id, contact_id, direction, origin, kind,
        body, network_id, occurred_at, created_at, status)
      select ${`msg_${name}_`}::text || n, 'bench', 'shop-0', ${SESSION}, 'cnv_' || k.id, k.id, 'in', 'network', 'text',
        'What was said as number ' || n, ${name}::text || n, now() - interval '10 days' - n * interval '1 second',
        now() - interval '10 days', 'received'
      from generate_series(1, ${MESSAGES}::int) n
      cross join lateral (select ${`con_${name}_`}::text || (1 + n % ${chats}::int) as id) k`;
    await run(tx)`
      insert into message_history (message_id, at, status)
      select id, now(), 'received' from message where id like ${`msg_${name}_%`}`;
  });
  await database.statement((tx) => run(tx)`analyze message`);
}

async function sweepAll(database: Database): Promise<void> {
  while ((await database.transaction((tx) => sweepRetention(tx, AT_ONCE))) === AT_ONCE);
}

/** The steps of an erasure that read the person's messages; the others do not depend on how many there are. */
async function eraseOne(database: Database, contactId: string): Promise<void> {
  const begun = await database.transaction((tx) => beginErasure(tx, 'bench', { contactId, keyId: 'bench' }));
  const id = begun?.erasure.id ?? '';
  const step = () =>
    database.transaction(async (tx) => {
      const erasure = await lockErasure(tx, id);
      if (erasure?.step === 'messages') await eraseMessages(tx, erasure);
      else if (erasure?.step === 'person') await erasePerson(tx, erasure);
      else return false;
      return true;
    });
  while (await step());
}

async function expectNone(books: DatabaseBooks): Promise<void> {
  const [left] = await books.query('select count(*)::int as count from message');
  if (left?.['count'] !== 0) throw new Error(`${String(left?.['count'])} messages are left.`);
}

/** Counts the statements of an audit that finds nothing, the plans made by one before it. */
async function auditOnce(database: Database, books: DatabaseBooks): Promise<number> {
  const now = Math.floor(database.clock.now().getTime() / 1_000);
  const said = new Map(
    Array.from({ length: AUDITED_CHATS }, (_, chat): [string, NetworkMessage[]] => {
      const chatId = `1555990000${chat}@c.us`;
      return [chatId, Array.from({ length: SAID }, (__, n) => aMessage(chatId, n, now - 7_200 - n * 60))];
    }),
  );
  await database.transaction(async (tx) => {
    for (const messages of said.values())
      await run(tx)`
        insert into message (id, agency_id, tenant_id, session_id, conversation_id, direction, origin, kind, body,
          network_id, occurred_at, status)
        select 'msg_' || id, 'bench', 'shop-0', ${SESSION}, 'cnv_con_swept_1', 'in', 'network', 'text', 'known', id,
          to_timestamp(${now - 7_200}), 'received'
        from unnest(${messages.map(({ networkId }) => networkId)}::text[]) id`;
    await run(tx)`
      update session set status = 'WORKING', compared_at = now(), status_changed_at = now() - interval '6 days'
      where id = ${SESSION}`;
  });
  let read = 0;
  const refuse = () => Promise.reject(new Error('An audit does not ask for that.'));
  const backend = {
    createSession: refuse,
    ensureSession: refuse,
    getSession: refuse,
    startSession: refuse,
    stopSession: refuse,
    restartSession: refuse,
    logoutSession: refuse,
    deleteSession: refuse,
    deleteSessionKey: refuse,
    listChats: async ({ limit, offset }: { limit: number; offset: number }) => {
      const all = [...said].map(([chatId, [last]]) => ({
        chatId,
        name: null,
        pictureUrl: null,
        unreadCount: null,
        lastMessage: last ?? null,
        lastAt: last?.timestamp ?? null,
      }));
      const items = all.slice(offset, offset + limit);
      return { items, listed: items.length, changes: [] };
    },
    listMessages: async ({ chatId, limit, offset }: { chatId: string; limit: number; offset: number }) => {
      read += 1;
      const items = (said.get(chatId) ?? []).slice(offset, offset + limit);
      return { items, listed: items.length, changes: [] };
    },
  };
  const backends = { of: () => backend, knows: () => true, servers: [] };
  const { audit, compareGap } = createGapComparer({ database, backends, auditEveryMs: DAY_MS });
  const once = () =>
    new MockActivityEnvironment().run(async () => {
      const session = await database.read((queries) => findSessionById(queries, SESSION));
      if (session === null) throw new Error('The session is not there.');
      await audit(session);
      await compareGap({ ...session, gapsDueAt: database.clock.now() });
    });
  await once();
  await database.statement((tx) => run(tx)`update session set audited_at = null where id = ${SESSION}`);
  const before = await books.total();
  await once();
  const after = await books.total();
  const [open] = await books.query("select count(*)::int as count from gap where state <> 'closed'");
  if (open?.['count'] !== 0 || read !== 2 * AUDITED_CHATS) throw new Error('The audits were not carried out.');
  return after.roundTrips - before.roundTrips;
}

function aMessage(chatId: string, n: number, timestamp: number): NetworkMessage {
  return {
    networkId: `KNOWN-${chatId}-${n}`,
    chatId,
    fromMe: false,
    source: 'app',
    kind: 'text',
    body: 'known',
    timestamp,
    ack: null,
    hasMedia: false,
    media: null,
    participant: null,
    pushName: null,
    aliases: [],
    replyToNetworkId: null,
  };
}
