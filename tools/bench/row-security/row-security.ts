import { z } from 'zod';
import type { Database } from '../../../db/engine/database.ts';
import { listMessagesFrom } from '../../../db/conversations/inbox/message-pages.ts';
import { one, run, send } from '../../../db/engine/rows.ts';
import { acceptSend, asParameters } from '../../../db/sending/accept.ts';
import type { NewSend } from '../../../db/sending/accept.ts';
import type { Tx } from '../../../db/engine/tx.ts';
import { anAgency, TARGET } from '../agency.ts';
import { costPer, DatabaseBooks } from '../database-cost.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { median, round } from '../statistics.ts';
import { storeMessages } from '../stored-messages.ts';
import { AGENCY_SETTING, makeTenantRole } from './tenant-role.ts';
import { openDatabase } from '../webhook-ground.ts';

const STORED = 100_000;
/** Short rounds, so that what else the machine does falls on all ways. */
const TIMES = 100;
const ROUNDS = 24;
const SCOPE = { ...TARGET, sessionId: null };
const Count = z.object({ count: z.number() });

const WAYS = ['accept', 'acceptInTransaction', 'acceptInFunction', 'read', 'readInTransaction'] as const;
type Way = (typeof WAYS)[number];
type Work = (index: number) => Promise<unknown>;
interface Cost {
  ms: number;
  statements: number;
  buffers: number;
  postgresMs: number;
}

/**
 * Measures what row-level security would cost: the same calls of the engine as the tables' owner, whom no policy binds,
 * and as a role that sees its agency's rows alone and must say before which agency that is. All take turns on the same
 * rows. There is no aim: `docs/decisions/tenancy.md` shows the figures.
 */
export async function rowSecurity(machine: Machine): Promise<Result[]> {
  await machine.newSeries();
  const api = await machine.startEngine('api');
  const session = await anAgency(api.url, { dashboardUrl: 'http://127.0.0.1:9/', working: false });
  await api.stop();
  const books = await DatabaseBooks.open(machine.databaseUrl);
  await storeMessages(books, session.id, STORED);
  const owner = await openDatabase(machine.databaseUrl, 2);
  const tenant = await openDatabase(await makeTenantRole(books, machine.databaseUrl), 2);
  try {
    await mustHide(tenant);
    const page = { conversationId: 'cnv_fill_7', direction: 'older', from: null, limit: 50 } as const;
    const works: Record<Way, Work> = {
      accept: (n) => owner.statement((tx) => acceptSend(tx, SCOPE, aSend(n))),
      acceptInTransaction: (n) => within(tenant, (tx) => acceptSend(tx, SCOPE, aSend(n))),
      acceptInFunction: (n) =>
        tenant.statement((tx) => {
          const sends = JSON.stringify([asParameters(tx, { scope: SCOPE, send: aSend(n) })]);
          return run(tx)`select bench_accept(${TARGET.agencyId}, ${sends}::jsonb)`;
        }),
      read: () => owner.read((queries) => listMessagesFrom(queries, SCOPE, page)),
      readInTransaction: () => within(tenant, (tx) => listMessagesFrom(tx, SCOPE, page)),
    };
    const costOf = await measured(works, { books, machine });
    return [
      line('one accepted message, its agency set in a transaction', costOf('acceptInTransaction'), costOf('accept')),
      line('one accepted message, its agency set by the function', costOf('acceptInFunction'), costOf('accept')),
      line('one read of 50 messages, its agency set in a transaction', costOf('readInTransaction'), costOf('read')),
    ];
  } finally {
    await owner.close();
    await tenant.close();
    await books.close();
  }
}

/** Says whose transaction it is, together with the first statement. */
async function within<T>(database: Database, work: (tx: Tx) => Promise<T>, agencyId = TARGET.agencyId): Promise<T> {
  return database.transaction(async (tx) => {
    const { written } = await send(tx)`select set_config(${AGENCY_SETTING}, ${agencyId}, true)`;
    const [value] = await Promise.all([work(tx), written]);
    return value;
  });
}

/** A wall that hides nothing would cost nothing. */
async function mustHide(tenant: Database): Promise<void> {
  const countAs = (agencyId: string): Promise<{ count: number }> =>
    within(tenant, (tx) => one(tx, Count)`select count(*)::int as count from message`, agencyId);
  const [own, others] = [await countAs(TARGET.agencyId), await countAs('somebody-else')];
  if (own.count !== STORED || others.count !== 0) throw new Error('The policies do not separate the agencies.');
}

/** Lets the ways take turns; of times it returns the middle of the rounds, of counts the mean. */
async function measured(
  works: Record<Way, Work>,
  { books, machine }: { books: DatabaseBooks; machine: Machine },
): Promise<(way: Way) => Cost> {
  const rounds = new Map<Way, Cost[]>(WAYS.map((way) => [way, []]));
  let index = 0;
  for (let count = 0; count <= ROUNDS; count += 1) {
    for (const way of WAYS) {
      const times: number[] = [];
      const [before, cpuBefore] = [await books.total(), machine.cpuMs().postgres];
      for (let n = 0; n < TIMES; n += 1) {
        const startedAt = performance.now();
        await works[way](index++);
        times.push(performance.now() - startedAt);
      }
      const { roundTrips, buffers } = costPer(before, await books.total(), TIMES);
      const postgresMs = (machine.cpuMs().postgres - cpuBefore) / TIMES;
      // The first round makes the plans and warms the pages.
      if (count > 0) rounds.get(way)?.push({ ms: median(times), statements: roundTrips, buffers, postgresMs });
    }
  }
  return (way) => {
    const of = (field: keyof Cost): number[] => (rounds.get(way) ?? []).map((cost) => cost[field]);
    const mean = (field: keyof Cost): number => of(field).reduce((sum, value) => sum + value, 0) / ROUNDS;
    return {
      ms: median(of('ms')),
      statements: mean('statements'),
      buffers: mean('buffers'),
      postgresMs: mean('postgresMs'),
    };
  };
}

function aSend(index: number): NewSend {
  return {
    recipient: { chatId: `${15_552_001_000 + (index % 4_000)}@c.us` },
    parts: [{ kind: 'text', body: `message ${index}` }],
    origin: 'api',
    expires: { afterMs: 3_600_000 },
  };
}

function line(path: string, walled: Cost, plain: Cost): Result {
  return {
    path: `row-level security: ${path}`,
    measured: shown(walled),
    baseline: shown(plain),
    ratio: walled.ms / plain.ms,
    aim: '',
    met: true,
  };
}

function shown({ ms, statements, buffers, postgresMs }: Cost): string {
  const database = `${round(statements)} statements, ${round(buffers, 0)} buffers, ${round(postgresMs, 2)} ms of PostgreSQL`;
  return `${round(ms, 2)} ms, ${database}`;
}
