import { ensureConversation } from '../../../db/conversations/conversation.ts';
import type { Database } from '../../../db/engine/database.ts';
import { unmergeContact } from '../../../db/network/unmerge/unmerge.ts';
import { run } from '../../../db/engine/rows.ts';
import { DatabaseBooks } from '../database-cost.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { median, round } from '../statistics.ts';
import { layGround, openDatabase } from '../webhook-ground.ts';

const PEOPLE = 200;
/** Half of them by the phone, half by the hidden id. */
const MESSAGES = 50;
const ROUNDS = 3;
const TENANT = { agencyId: 'bench', tenantId: 'shop-0' };
const SESSION = 'ses_bench_0';
/** A merge, and its end, moves far more than messages; the end is the act of an operator. */
const MAX_PLAIN = { merged: 6, undone: 12 };

/**
 * Measures how fast people are merged, each known by a phone and by a hidden id, and how fast the merges are undone,
 * beside a plain `update` that moves the same messages.
 */
export async function merges(machine: Machine): Promise<Result[]> {
  const times: MergeTimes[] = [];
  for (let n = 0; n < ROUNDS; n += 1) {
    await machine.newSeries();
    times.push(await mergeAll(machine.databaseUrl));
  }
  const plain = median(times.map((each) => each.plain));
  const line = (path: string, ms: number, most: number): Result => ({
    path: `${path} of ${PEOPLE} people with ${MESSAGES} messages each, the part of the database`,
    measured: `${round((PEOPLE * 1_000) / ms, 0)} /s`,
    baseline: `plain update of the same messages ${round((PEOPLE * 1_000) / plain, 0)} /s`,
    ratio: ms / plain,
    aim: `≤ ${most}`,
    met: ms / plain <= most,
  });
  return [
    line('merge', median(times.map((each) => each.merged)), MAX_PLAIN.merged),
    line('end of a merge', median(times.map((each) => each.undone)), MAX_PLAIN.undone),
  ];
}

interface MergeTimes {
  merged: number;
  undone: number;
  plain: number;
}

/** Measures one round, on a database that has no tenant yet. */
async function mergeAll(databaseUrl: string): Promise<MergeTimes> {
  const database = await openDatabase(databaseUrl, 2);
  const books = await DatabaseBooks.open(databaseUrl);
  try {
    await layGround(database, [[]]);
    await store(database, 'first', 0);
    // A connection compiles the functions and plans their statements at its first merge.
    await eachPerson((n) => merge(database, n));
    await eachPerson((n) => unmerge(database, n));
    await store(database, 'then', PEOPLE);
    const merged = await eachPerson((n) => merge(database, n + PEOPLE));
    await expectMerged(books, PEOPLE);
    const undone = await eachPerson((n) => unmerge(database, n + PEOPLE));
    await expectMerged(books, 0);
    const plain = await eachPerson((n) =>
      database.transaction(
        (tx) => run(tx)`
          update message set conversation_id = ${`cnv_phone_${n}`}, contact_id = ${`con_phone_${n}`}
          where conversation_id = ${`cnv_lid_${n}`}`,
      ),
    );
    return { merged, undone, plain };
  } finally {
    await books.close();
    await database.close();
  }
}

/** Does something for each person in turn, and returns how many milliseconds all took. */
async function eachPerson(work: (n: number) => Promise<unknown>): Promise<number> {
  const from = performance.now();
  for (let n = 0; n < PEOPLE; n += 1) await work(n);
  return performance.now() - from;
}

const phoneOf = (n: number) => `1555${1_000_000 + n}@c.us`;
const hiddenOf = (n: number) => `${10 ** 14 + n}@lid`;

/** A message of the network names both addresses of a person. */
function merge(database: Database, n: number): Promise<unknown> {
  const chat = { chatId: hiddenOf(n), aliases: [phoneOf(n)], networkId: `BOTH${n}` };
  return database.transaction((tx) => ensureConversation(tx, { ...TENANT, sessionId: SESSION }, chat));
}

function unmerge(database: Database, n: number): Promise<unknown> {
  return database.transaction((tx) => unmergeContact(tx, TENANT.agencyId, `con_lid_${n}`));
}

/** Stores two contacts for each person, with their conversations and messages. */
async function store(database: Database, name: string, first: number): Promise<void> {
  await database.transaction(async (tx) => {
    for (const [kind, addressOf] of [['phone', phoneOf] as const, ['lid', hiddenOf] as const]) {
      const addresses = Array.from({ length: PEOPLE }, (_, n) => addressOf(first + n));
      await run(tx)`
        insert into contact (id, agency_id, tenant_id, chat_id)
        select ${`con_${kind}_`}::text || (${first}::int + place - 1), 'bench', 'shop-0', address
        from unnest(${addresses}::text[]) with ordinality as a(address, place)`;
      await run(tx)`
        insert into contact_alias (agency_id, tenant_id, chat_id, contact_id)
        select agency_id, tenant_id, chat_id, id from contact where chat_id = any (${addresses}::text[])`;
      await run(tx)`
        insert into conversation (id, agency_id, tenant_id, session_id, chat_id, contact_id, last_message_at)
        select 'cnv' || substr(id, 4), agency_id, tenant_id, ${SESSION}, chat_id, id, now()
        from contact where chat_id = any (${addresses}::text[])`;
      await run(tx)`
        insert into message (id, agency_id, tenant_id, session_id, conversation_id, contact_id, direction, origin, kind,
          body, network_id, occurred_at, created_at, status)
        select ${`msg_${name}_${kind}_`}::text || k.n || '_' || m, 'bench', 'shop-0', ${SESSION},
          ${`cnv_${kind}_`}::text || k.n, ${`con_${kind}_`}::text || k.n, 'in', 'network', 'text',
          'What was said as number ' || m, ${`${name}-${kind}-`}::text || k.n || '-' || m,
          now() - m * interval '1 minute', now() - m * interval '1 minute', 'received'
        from generate_series(${first}::int, ${first + PEOPLE - 1}::int) as k(n)
        cross join generate_series(1, ${MESSAGES / 2}::int) m`;
    }
  });
  await database.statement((tx) => run(tx)`analyze`);
}

async function expectMerged(books: DatabaseBooks, count: number): Promise<void> {
  const [found] = await books.query('select count(*)::int as count from conversation where merged_into is not null');
  if (found?.['count'] !== count) throw new Error(`${String(found?.['count'])} are merged, and not ${count}.`);
}
