import { setTimeout as pause } from 'node:timers/promises';
import { sendTo } from '../agency.ts';
import type { BenchSession } from '../agency.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { memoryMb } from '../fleet/memory-use.ts';
import { REPORTED_MS, topStatements, usageOfEach, usagePerSecond } from '../fleet/meter.ts';
import type { Meter, Statement, Usage } from '../fleet/meter.ts';
import type { Kind } from '../kinds.ts';
import { untilSettled } from '../fleet/settled.ts';
import { openLoop } from '../load.ts';

/** Loads end this long before their window, so that the acks of the last messages and their events are counted. */
const TAIL_S = 5;
const SETTLE_PATIENCE_MS = 60_000;
/** The statements that are listed. */
const TOP = 40;

export interface Cell {
  processes: number;
  sessions: number;
  endpoints: number;
  /** The usage of an idle engine, for each second. */
  rest: Usage;
  restStatements: Statement[];
  /** The statements of a second of the load, rest included. */
  loadStatements: Statement[];
  /** The usage of one message, from its request to its last ack, without the idle usage meanwhile. */
  message: Usage;
  /** The messages that were not delivered within the window; their cost is not complete. */
  undelivered: number;
  memoryMb: Record<'engine' | 'postgres' | 'temporal', number>;
}

/** Measures a fleet at rest and then with a steady small rate of messages, each for `windowS`. */
export async function measureCell(
  { fleet, meter, senders }: { fleet: Fleet; meter: Meter; senders: readonly BenchSession[] },
  {
    sessions,
    endpoints,
    windowS,
    ratePerSecond,
  }: Record<'sessions' | 'endpoints' | 'windowS' | 'ratePerSecond', number>,
): Promise<Cell> {
  await untilSettled(fleet.machine, SETTLE_PATIENCE_MS);
  await pause(REPORTED_MS);
  const restFrom = await meter.read();
  await pause(windowS * 1_000);
  const rest = [restFrom, await meter.read()] as const;

  const count = Math.floor(ratePerSecond * (windowS - TAIL_S));
  let sent = 0;
  const next = () => sendTo(sent, { session: senders[sent++ % senders.length]?.id ?? '' });
  const [{ n: before } = { n: 0 }] = await meter.query<{ n: number }>(DELIVERED);
  const from = await meter.read();
  await openLoop(fleet.url, next, { perSecond: ratePerSecond, seconds: windowS - TAIL_S });
  await pause(from.atMs + windowS * 1_000 - performance.now());
  const to = await meter.read();
  const [{ n: after } = { n: 0 }] = await meter.query<{ n: number }>(DELIVERED);
  return {
    processes: fleet.size,
    sessions,
    endpoints,
    rest: usagePerSecond(...rest),
    restStatements: topStatements(rest, TOP),
    loadStatements: topStatements([from, to], TOP),
    message: usageOfEach([from, to], rest, count),
    undelivered: count - (after - before),
    memoryMb: memoryOf(fleet),
  };
}

const DELIVERED = 'select count(*)::float8 as n from message where delivered_at is not null';

function memoryOf({ machine }: Fleet): Cell['memoryMb'] {
  const of = (kind: Kind): number => machine.pids(kind).reduce((sum, pid) => sum + memoryMb(pid), 0);
  return { engine: of('api') + of('worker'), postgres: of('postgres'), temporal: of('temporal') };
}
