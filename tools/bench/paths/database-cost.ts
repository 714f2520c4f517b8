import { setTimeout as pause } from 'node:timers/promises';
import { anAgency, sendTo, untilWorking } from '../agency.ts';
import type { BenchSession } from '../agency.ts';
import { costPer, DatabaseBooks } from '../database-cost.ts';
import type { DatabaseCost } from '../database-cost.ts';
import { posts } from '../load.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { round } from '../statistics.ts';
import { storeMessages } from '../stored-messages.ts';

const MESSAGES = 300;
const STORED = [1_000, 1_000_000] as const;
/** The pause after which all of PostgreSQL's sessions have reported their work. */
const REPORTED_MS = 2_500;
/**
 * The growth up to which a cost counts as flat; an index tree grows by no more when it has a thousand times the rows.
 */
const FLAT_WITHIN = 1.3;

/** Measures the cost of one accepted and one sent message for the database, with few and with many messages stored. */
export async function databaseCost(machine: Machine): Promise<Result[]> {
  const accepted: DatabaseCost[] = [];
  const sent: DatabaseCost[] = [];
  for (const stored of STORED) {
    await machine.newSeries();
    const books = await DatabaseBooks.open(machine.databaseUrl);
    const api = await machine.startEngine('api');
    const session = await anAgency(api.url, { dashboardUrl: 'http://127.0.0.1:9/', working: false });
    await storeMessages(books, session.id, stored);
    let index = 0;
    // The first posts are not counted: they make the plans and warm the pages.
    await posts(api.url, MESSAGES, () => sendTo(index++));
    accepted.push(await counted(books, () => posts(api.url, MESSAGES, () => sendTo(index++))));
    await api.stop();
    sent.push(await sentCost(machine, books, session));
    await books.close();
  }
  return [line('one accepted message', accepted), line('one message from request to read ack', sent)];
}

/**
 * Measures the cost of a sent message on the same rows, with a session that works. The queued messages are sent before
 * anything is counted.
 */
async function sentCost(machine: Machine, books: DatabaseBooks, session: BenchSession): Promise<DatabaseCost> {
  const engine = await machine.startEngine('all');
  try {
    await untilWorking(engine.url, session);
    await untilQuiet(books);
    let index = 4_000;
    return await counted(books, async () => {
      await posts(engine.url, MESSAGES, () => sendTo(index++));
      await untilQuiet(books);
    });
  } finally {
    await engine.stop();
  }
}

async function untilQuiet(books: DatabaseBooks): Promise<void> {
  for (;;) {
    const [row] = await books.query(
      "select count(*)::int as open from message where direction = 'out' and status in ('queued', 'sending', 'sent', 'delivered') and origin = 'api' and created_at > now() - interval '1 hour'",
    );
    if (row?.['open'] === 0) return;
    await pause(100);
  }
}

/** Returns the cost of the work without the cost of an idle engine in the same time. */
async function counted(books: DatabaseBooks, work: () => Promise<void>): Promise<DatabaseCost> {
  await pause(REPORTED_MS);
  const idleFrom = await books.total();
  const restedAt = performance.now();
  await pause(REPORTED_MS * 2);
  const idleTo = await books.total();
  const restMs = performance.now() - restedAt;
  const startedAt = performance.now();
  await work();
  await pause(REPORTED_MS);
  const after = await books.total();
  const idleShare = (performance.now() - startedAt) / restMs;
  const idle = costPer(idleFrom, idleTo, 1 / idleShare);
  return costPer(add(idleTo, idle), after, MESSAGES);
}

function add(a: DatabaseCost, b: DatabaseCost): DatabaseCost {
  return {
    roundTrips: a.roundTrips + b.roundTrips,
    buffers: a.buffers + b.buffers,
    rowsWritten: a.rowsWritten + b.rowsWritten,
  };
}

function line(path: string, [few, many]: readonly DatabaseCost[]): Result {
  const ratio = (many?.buffers ?? 0) / (few?.buffers ?? 1);
  return {
    path: `${path}: database, 1 M stored against 1 k`,
    measured: describe(many),
    baseline: describe(few),
    ratio,
    aim: `flat (buffers ≤ ${FLAT_WITHIN})`,
    met: ratio <= FLAT_WITHIN,
  };
}

function describe(cost: DatabaseCost | undefined): string {
  if (!cost) return '';
  return `${round(cost.roundTrips)} round trips, ${round(cost.buffers, 0)} buffers, ${round(cost.rowsWritten)} rows`;
}
