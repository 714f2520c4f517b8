import { setTimeout as pause } from 'node:timers/promises';
import { anAgency, sendTo } from '../agency.ts';
import { DatabaseBooks } from '../database-cost.ts';
import { posts } from '../load.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { Sink } from '../sink.ts';
import { calledPer, statementsSoFar } from '../statement-list.ts';
import type { Statements } from '../statement-list.ts';
import { round } from '../statistics.ts';

const ALONE = 40;
const TOGETHER = 300;
const REST_MS = 5_000;
/** A statement that is called less often than this per message is not listed. */
const LISTED_FROM = 0.02;

/**
 * Lists every statement of one text message, from the request to the ack `read`, with its calls and the pages that it
 * reads: one message at a time, many together, where batches form, and a broadcast. The dashboard answers at once.
 */
export async function statements(machine: Machine): Promise<Result[]> {
  await machine.newSeries();
  const sink = await Sink.start();
  const engine = await machine.startEngine('all');
  const books = await DatabaseBooks.open(machine.databaseUrl);
  try {
    await anAgency(engine.url, { dashboardUrl: sink.url, working: true });
    let index = 0;
    const send = async (count: number, more: object = {}): Promise<void> => {
      await posts(engine.url, count, () => sendTo(index++, more));
      await untilRead(books, index);
    };
    const oneByOne = async (): Promise<void> => {
      for (let sent = 0; sent < ALONE; sent += 1) await send(1);
    };
    // The first messages are not counted: they make the plans.
    await send(TOGETHER);
    const alone = await counted(books, oneByOne, ALONE);
    const together = await counted(books, () => send(TOGETHER), TOGETHER);
    const broadcast = await counted(books, () => send(TOGETHER, { priority: 'bulk' }), TOGETHER);
    index = 0;
    await books.query("update message set created_at = created_at - interval '1 hour'");
    const known = await counted(books, () => send(TOGETHER), TOGETHER);
    print({ alone, together, broadcast });
    return [
      line('one at a time', alone),
      line(`${TOGETHER} together`, together),
      line('known recipients', known),
      line(`${TOGETHER} of a broadcast`, broadcast),
    ];
  } finally {
    await books.close();
    await engine.stop();
    await sink.stop();
  }
}

async function untilRead(books: DatabaseBooks, count: number): Promise<void> {
  for (;;) {
    const [row] = await books.query(
      "select count(*)::int as read from message where read_at is not null and created_at > now() - interval '30 minutes'",
    );
    if (Number(row?.['read']) >= count) break;
    await pause(20);
  }
  for (;;) {
    const [row] = await books.query("select count(*)::int as open from delivery where status = 'pending'");
    if (row?.['open'] === 0) return;
    await pause(20);
  }
}

async function counted(books: DatabaseBooks, work: () => Promise<void>, count: number): Promise<Statements> {
  await pause(REST_MS / 2);
  const idleFrom = await statementsSoFar(books);
  const restedAt = performance.now();
  await pause(REST_MS);
  const from = await statementsSoFar(books);
  const startedAt = performance.now();
  await work();
  await pause(REST_MS / 2);
  const to = await statementsSoFar(books);
  const share = (performance.now() - startedAt) / (startedAt - restedAt);
  return calledPer([from, to], count, { between: [idleFrom, from], share });
}

function print(ways: Record<'alone' | 'together' | 'broadcast', Statements>): void {
  const called = Object.values(ways);
  const listed = [...new Set(called.flatMap((statements) => [...statements.keys()]))]
    .map((text) => ({ text, calls: called.map((statements) => statements.get(text)) }))
    .filter(({ calls }) => Math.max(...calls.map((each) => each?.calls ?? 0)) >= LISTED_FROM)
    .toSorted((a, b) => (b.calls[1]?.calls ?? 0) - (a.calls[1]?.calls ?? 0));
  for (const { text, calls } of listed) {
    const cells = calls.map((each) => (each?.calls ?? 0).toFixed(2));
    const pages = calls.map((each) => (each?.buffers ?? 0).toFixed(0));
    console.log(`| ${[...cells, ...pages, `\`${text}\``].join(' | ')} |`);
  }
}

function line(how: string, called: Statements): Result {
  const sum = (field: 'calls' | 'buffers'): number =>
    [...called.values()].reduce((total, each) => total + each[field], 0);
  return {
    path: `statements of one message to its read ack, ${how}`,
    measured: `${round(sum('calls'))} round trips, ${round(sum('buffers'), 0)} buffers`,
    baseline: '',
    ratio: null,
    aim: '≤ 24',
    met: sum('calls') <= 24,
  };
}
