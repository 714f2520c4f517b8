import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { z } from 'zod';
import { aSession, anAgency, sendTo } from '../agency.ts';
import type { BenchSession } from '../agency.ts';
import { posts } from '../load.ts';
import type { Machine } from '../machine.ts';
import { OpenExecutions } from '../open-executions.ts';
import type { Result } from '../result.ts';
import { percentile, round } from '../statistics.ts';

const BROADCAST = 5_000;
const IN_FLIGHT_PER_SESSION = 4;
/** Long enough to see whether executions whose acks never come pile up. */
const WATCHED_MS = 150_000;
const HANG_MS = 60_000;
const PROBE_EVERY_MS = 1_000;
const Record = z.object({ sends: z.array(z.object({ at: z.union([z.number(), z.string()]), body: z.string() })) });

/**
 * Lets one session send 5,000 messages, of which 30 % are never acked, and then lets its backend hang for a minute.
 * Meanwhile another session of the same engine sends a message now and then, whose delay is measured.
 */
export async function flood(machine: Machine): Promise<Result[]> {
  await machine.newSeries();
  const engine = await machine.startEngine('all');
  const executions = await OpenExecutions.open(machine.temporalAddress);
  const database = new Client({ connectionString: machine.databaseUrl });
  await database.connect();
  try {
    const busy = await anAgency(engine.url, { dashboardUrl: 'http://127.0.0.1:9/', working: true });
    const other = await aSession(engine.url, 'other');
    const quiet = await probe(machine, engine.url, other, 'quiet', 20_000);
    let index = 0;
    const watching = executions.highest(['deliverMessage', 'deliverSlice'], WATCHED_MS);
    const sending = posts(engine.url, BROADCAST, () => oneOfMany(index++, busy));
    const beside = await probe(machine, engine.url, other, 'beside', 30_000);
    await sending;
    const highest = await watching;
    const perSecond = await sendsOfBusiestSecond(database, busy.id);
    await machine.sandbox('POST', '/faults', { route: 'sendText', kind: 'hang', count: 1_000, session: busy.name });
    await posts(engine.url, 50, () => oneOfMany(index++, busy));
    const hanging = await probe(machine, engine.url, other, 'hanging', HANG_MS);
    await machine.sandbox('DELETE', '/faults');
    const most = IN_FLIGHT_PER_SESSION + perSecond + 20;
    const slower = percentile(beside, 0.95) - percentile(quiet, 0.95);
    const ratio = percentile(hanging, 0.95) / percentile(quiet, 0.95);
    return [
      {
        path: `broadcast of ${BROADCAST}, 30 % never acked: open executions at the most`,
        measured: `${highest}`,
        baseline: `${IN_FLIGHT_PER_SESSION} + ${perSecond} sends of a second + 20`,
        ratio: highest / most,
        aim: '≤ 1',
        met: highest <= most,
      },
      {
        path: "another session's single reply beside it",
        measured: `p95 ${round(percentile(beside, 0.95), 0)} ms (${beside.length})`,
        baseline: `alone p95 ${round(percentile(quiet, 0.95), 0)} ms (${quiet.length})`,
        ratio: null,
        aim: '≤ 1 s more',
        met: slower <= 1_000,
      },
      {
        path: "another session's replies while a backend hangs for 60 s",
        measured: `p95 ${round(percentile(hanging, 0.95), 0)} ms (${hanging.length})`,
        baseline: `alone p95 ${round(percentile(quiet, 0.95), 0)} ms`,
        ratio,
        aim: '≤ 1.5',
        met: ratio <= 1.5,
      },
    ];
  } finally {
    await database.end();
    await executions.close();
    await engine.stop();
  }
}

/**
 * Makes one of the many sends. Three of ten go to contacts who never ack, whom the sandbox knows by their last four
 * digits.
 */
function oneOfMany(index: number, session: BenchSession) {
  const never = index % 10 < 3;
  const to = never
    ? `+1555${String(1_000 + index)
        .padStart(4, '0')
        .slice(-3)}0002`
    : undefined;
  return sendTo(index, { session: session.id, ...(to === undefined ? {} : { to }) });
}

/** Measures, once a second, the milliseconds from a request to the backend's receipt. */
async function probe(
  machine: Machine,
  url: string,
  session: BenchSession,
  word: string,
  forMs: number,
): Promise<number[]> {
  const startedAt = new Map<string, number>();
  const until = performance.now() + forMs;
  for (let index = 0; performance.now() < until; index += 1) {
    const text = `${word} ${index}`;
    startedAt.set(text, performance.timeOrigin + performance.now());
    await posts(url, 1, () => sendTo(7_000 + (index % 900), { session: session.id, text }));
    await pause(PROBE_EVERY_MS);
  }
  await pause(3_000);
  const { sends } = Record.parse(await machine.sandbox('GET', '/record'));
  return [...startedAt].map(([text, started]) => {
    const sent = sends.find(({ body }) => body === text);
    // A message that has not arrived by now counts with the whole time.
    return sent === undefined ? forMs : new Date(sent.at).getTime() - started;
  });
}

/** An execution looks for its ack for a second, so as many more may be open. */
async function sendsOfBusiestSecond(database: Client, sessionId: string): Promise<number> {
  const { rows } = await database.query<{ n: number }>(
    `select coalesce(max(n), 0)::int as n from (
       select count(*) over (order by sent_at range between current row and interval '1 second' following) as n
       from message where session_id = $1 and sent_at is not null) counted`,
    [sessionId],
  );
  return rows[0]?.n ?? 0;
}
