import { sql } from 'kysely';
import { z } from 'zod';
import { syncContactPage } from '../../../db/network/sync-contacts.ts';
import type { Account } from '../../../db/conversations/known-contact.ts';
import type { Database } from '../../../db/engine/database.ts';
import { newId } from '../../../db/engine/new-id.ts';
import { run } from '../../../db/engine/rows.ts';
import type { NetworkContact } from '../../../domain/network/network-event.ts';
import { closedLoop } from '../load.ts';
import { DatabaseBooks } from '../database-cost.ts';
import { MASTER_KEY } from '../machine.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { calledPer, statementsSoFar } from '../statement-list.ts';
import { median, percentile, round } from '../statistics.ts';
import { layGround, openDatabase } from '../webhook-ground.ts';

const MANY = 50_000;
const FEW = 500;
const PAGE = 500;
const ROUNDS = 3;
const CONNECTIONS = 4;
/** So often one person is looked up by each reference. */
const LOOK_UPS = 100;
const MAX_STATEMENTS = 2;

/**
 * Measures how fast a list of contacts is written, beside the same rows by plain `unnest` inserts into tables of the
 * same shape, and how fast an account with many contacts lists a page of them, beside one with few; counts the
 * statements by which one of the many is found.
 */
export async function contacts(machine: Machine, seconds: number): Promise<Result[]> {
  const ratios: { sync: number; raw: number }[] = [];
  for (let n = 0; n < ROUNDS; n += 1) {
    await machine.newSeries();
    const database = await openDatabase(machine.databaseUrl, 2);
    try {
      await layGround(database, [[], []]);
      const raw = await writeRaw(database, accountOf(0), people(MANY));
      ratios.push({ sync: await writeSynced(database, accountOf(0), people(MANY)), raw });
      await writeSynced(database, accountOf(1), people(FEW));
      await database.transaction((tx) => run(tx)`update session set contacts_synced_at = now()`);
      // A database that has run for minutes knows how many rows there are.
      await database.statement((tx) => run(tx)`analyze`);
    } finally {
      await database.close();
    }
  }
  const sync = median(ratios.map((each) => each.sync));
  const raw = median(ratios.map((each) => each.raw));
  const { many, few, statements } = await served(machine, seconds);
  return [
    {
      path: `sync of ${MANY.toLocaleString('en')} contacts, the part of the database`,
      measured: `${round(sync, 0)} /s`,
      baseline: `plain unnest of the same rows ${round(raw, 0)} /s`,
      ratio: sync / raw,
      aim: '≥ 0.3',
      met: sync / raw >= 0.3,
    },
    {
      path: `a page of ${PAGE} of ${MANY.toLocaleString('en')} contacts`,
      measured: `p95 ${round(many)} ms`,
      baseline: `of ${FEW} contacts p95 ${round(few)} ms`,
      ratio: many / few,
      aim: '≤ 1.5',
      met: many / few <= 1.5,
    },
    {
      path: `one of ${MANY.toLocaleString('en')} contacts by a contactId, a phone, a chat id and a hidden id`,
      measured: `${round(statements, 1)} statements at the most`,
      baseline: '',
      ratio: null,
      aim: `≤ ${MAX_STATEMENTS}`,
      met: statements < MAX_STATEMENTS + 0.5,
    },
  ];
}

function accountOf(index: number): Account {
  return { agencyId: 'bench', tenantId: `shop-${index}`, sessionId: `ses_bench_${index}` };
}

/** Every second one is known by a hidden id, too. */
function people(count: number): NetworkContact[] {
  return Array.from({ length: count }, (_, n) => ({
    chatId: `1555${String(2_000_000 + n)}@c.us`,
    lid: n % 2 === 0 ? null : `${String(10 ** 14 + n)}@lid`,
    name: `Person ${n}`,
    pushName: `P${n}`,
    isMyContact: true,
    isBlocked: null,
  }));
}

async function perSecond(list: readonly NetworkContact[], write: (page: NetworkContact[]) => Promise<unknown>) {
  const startedAt = performance.now();
  for (let from = 0; from < list.length; from += PAGE) await write(list.slice(from, from + PAGE));
  return list.length / ((performance.now() - startedAt) / 1_000);
}

function writeSynced(database: Database, account: Account, list: readonly NetworkContact[]): Promise<number> {
  return perSecond(list, (page) =>
    database.transaction((tx) =>
      syncContactPage(tx, account, { contacts: page, readAt: database.clock.now(), tells: false }),
    ),
  );
}

/** Inserts the rows that a sync writes, with their indexes and without anything that a sync must know. */
async function writeRaw(database: Database, account: Account, list: readonly NetworkContact[]): Promise<number> {
  const { agencyId, tenantId, sessionId } = account;
  await database.transaction(async (tx) => {
    for (const table of ['contact', 'contact_alias', 'session_contact']) {
      await run(tx)`create table ${sql.table(`raw_${table}`)} (like ${sql.table(table)} including all)`;
    }
  });
  return perSecond(list, (page) =>
    database.transaction(async (tx) => {
      const ids = page.map(() => newId('con'));
      const addresses = page.flatMap(({ chatId, lid }, at) =>
        [chatId, ...(lid === null ? [] : [lid])].map((address) => ({ address, id: ids[at] })),
      );
      await run(tx)`
        insert into raw_contact (id, agency_id, tenant_id, chat_id, name, push_name)
        select g.id, ${agencyId}, ${tenantId}, g.chat_id, g.name, g.push_name
        from unnest(${ids}::text[], ${page.map(({ chatId }) => chatId)}::text[],
          ${page.map(({ name }) => name)}::text[], ${page.map(({ pushName }) => pushName)}::text[])
          as g(id, chat_id, name, push_name)`;
      await run(tx)`
        insert into raw_contact_alias (agency_id, tenant_id, chat_id, contact_id)
        select ${agencyId}, ${tenantId}, g.chat_id, g.id
        from unnest(${addresses.map(({ address }) => address)}::text[], ${addresses.map(({ id }) => id)}::text[])
          as g(chat_id, id)`;
      await run(tx)`
        insert into raw_session_contact (session_id, contact_id, is_my_contact)
        select ${sessionId}, g.id, true from unnest(${ids}::text[]) as g(id)`;
    }),
  );
}

interface Served {
  /** The time within which 95 % of the pages end, for an account with many contacts and for one with few. */
  many: number;
  few: number;
  /** The most statements that finding one contact has cost. */
  statements: number;
}

/** Reads what the last round has left. */
async function served(machine: Machine, seconds: number): Promise<Served> {
  const engine = await machine.startEngine('api');
  try {
    return { ...(await listed(engine.url, seconds)), statements: await lookedUp(machine, engine.url) };
  } finally {
    await engine.stop();
  }
}

const HEADERS = { 'x-api-key': MASTER_KEY };

/** Reads a page in turn of both accounts. */
async function listed(url: string, seconds: number): Promise<{ many: number; few: number }> {
  const page = (index: number) => {
    const { agencyId, tenantId, sessionId } = accountOf(index);
    const query = new URLSearchParams({ agencyId, tenantId, limit: String(PAGE) });
    return {
      method: 'GET' as const,
      path: `/api/v1/sessions/${sessionId}/contacts?${query.toString()}`,
      headers: HEADERS,
    };
  };
  const p95 = async (index: number): Promise<number> => {
    const { latencies } = await closedLoop(url, () => page(index), { connections: CONNECTIONS, seconds });
    return percentile(latencies, 0.95);
  };
  await p95(0);
  await p95(1);
  const many: number[] = [];
  const few: number[] = [];
  for (let n = 0; n < ROUNDS; n += 1) {
    few.push(await p95(1));
    many.push(await p95(0));
  }
  return { many: median(many), few: median(few) };
}

const Found = z.object({ contactId: z.string() });

/** Looks one person up by each reference, and returns the statements that the dearest of them costs. */
async function lookedUp(machine: Machine, url: string): Promise<number> {
  const { agencyId, tenantId } = accountOf(0);
  const query = new URLSearchParams({ agencyId, tenantId });
  const find = async (ref: string): Promise<string> => {
    const path = `/api/v1/contacts/${encodeURIComponent(ref)}?${query.toString()}`;
    const answer = await fetch(`${url}${path}`, { headers: HEADERS });
    if (!answer.ok) throw new Error(`${ref} was answered ${answer.status}.`);
    return Found.parse(await answer.json()).contactId;
  };
  const [person] = people(MANY).slice(-1);
  const { chatId = '', lid = null } = person ?? {};
  const digits = chatId.slice(0, chatId.indexOf('@'));
  const refs = [await find(chatId), `+${digits}`, `+1 (555) ${digits.slice(4)}`, chatId, lid ?? chatId];
  const books = await DatabaseBooks.open(machine.databaseUrl);
  try {
    let most = 0;
    for (const ref of refs) {
      const from = await statementsSoFar(books);
      for (let n = 0; n < LOOK_UPS; n += 1) await find(ref);
      const called = calledPer([from, await statementsSoFar(books)], LOOK_UPS, { between: [from, from], share: 0 });
      // The engine's other calls are far rarer.
      const calls = [...called.values()].map((each) => each.calls).filter((each) => each >= 0.5);
      most = Math.max(
        most,
        calls.reduce((sum, each) => sum + each, 0),
      );
    }
    return most;
  } finally {
    await books.close();
  }
}
