import { setTimeout as pause } from 'node:timers/promises';
import { aSession, anAgency, sendTo } from '../agency.ts';
import type { BenchSession } from '../agency.ts';
import { BareWorkflows } from '../bare-workflows.ts';
import { agentOn, databaseOf, personWrites } from '../agent.ts';
import { Fleet } from '../fleet/fleet.ts';
import { cpuOfEach, measure, rowOf } from '../harness/harness.ts';
import type { Measured, Way, Work } from '../harness/harness.ts';
import { inboundEvent } from '../inbound-event.ts';
import { openLoop, posts } from '../load.ts';
import type { Post } from '../load.ts';
import type { Machine } from '../machine.ts';
import { Receivers } from '../receivers.ts';
import type { Result } from '../result.ts';
import { percentile, round } from '../statistics.ts';

/** A rate at which hardly any message has company. */
const LOW_RATE = 20;
const LOOK_EVERY_MS = 50;
const PATIENCE_MS = 120_000;
const FLOOR = 'bare workflow';
const DELIVERING = "select count(*)::float8 as n from delivery where status = 'pending'";

/** A kind of work: its units in a second, how they begin, and what says that they are over. */
interface Kind {
  name: string;
  each: string;
  /** The number that is begun at once for each second of a window. */
  perSecond: number;
  begin(count: number): Promise<unknown>;
  /** Makes one unit for a loop at the low rate. */
  next?: () => Post;
  /** Counts what is done by now. */
  done: string;
  /** Lists the newest units' milliseconds. */
  latencies?: string;
  maxCpuMs?: number;
}

/**
 * Counts what each kind of work costs every kind of process, API and worker apart, as fast as it goes and at a low
 * rate. One dashboard gets all events.
 */
export async function cost(machine: Machine, seconds: number): Promise<Result[]> {
  const receivers = await Receivers.start(1);
  const fleet = await Fleet.start(machine);
  const floors = await BareWorkflows.start(machine.temporalAddress);
  const books = databaseOf(machine);
  const values = async (query: string, of: unknown[] = []): Promise<number[]> =>
    (await books.query<{ n: number }>(query, of)).rows.map(({ n }) => n);
  const rowsOf = async (kinds: readonly Kind[]): Promise<Result[]> => {
    const [slow, fast] = [new Map<Kind, Way>(), new Map<Kind, Way>()];
    for (const kind of kinds) {
      fast.set(kind, { each: kind.each, work: untilDone(kind, values, (count) => kind.begin(count)) });
      const { next } = kind;
      if (!next) continue;
      const begin = (count: number) => openLoop(fleet.url, next, { perSecond: LOW_RATE, seconds: count / LOW_RATE });
      slow.set(kind, { each: kind.each, work: untilDone({ ...kind, perSecond: LOW_RATE }, values, begin) });
    }
    const rows: Result[] = [];
    for (const ways of [slow, fast]) {
      const byName = Object.fromEntries([...ways].map(([{ name }, way]) => [name, way]));
      const hasFloor = ways === slow && slow.size > 0;
      const of = await measure(machine, hasFloor ? { ...byName, [FLOOR]: bare(floors) } : byName, { seconds });
      for (const kind of ways.keys())
        rows.push(ways === slow ? slowRow(kind, of(kind.name), of(FLOOR)) : fastRow(kind, of(kind.name)));
    }
    return rows;
  };
  try {
    const session = await anAgency(fleet.url, { dashboardUrl: receivers.urls[0] ?? '', working: true });
    const agent = await aSession(fleet.url, 'agent');
    const rows = await rowsOf(messagesOf(fleet.url, session));
    await agentOn(fleet.url);
    return [...rows, ...(await rowsOf([turnsOf(machine, agent)]))];
  } finally {
    await books.end();
    await floors.stop();
    await fleet.stop();
    await receivers.stop();
  }
}

/** Begins a window's units and waits until all are done and their events are delivered. */
function untilDone(
  { perSecond, done, latencies }: Kind,
  values: (query: string, of?: unknown[]) => Promise<number[]>,
  begin: (count: number) => Promise<unknown>,
): Way['work'] {
  const countOf = async (query: string): Promise<number> => (await values(query))[0] ?? 0;
  return async (seconds): Promise<Work> => {
    const count = Math.max(1, Math.round(perSecond * seconds));
    const wanted = (await countOf(done)) + count;
    const startedAt = performance.now();
    const until = async (isOver: () => Promise<boolean>): Promise<void> => {
      while (!(await isOver())) {
        if (performance.now() - startedAt > PATIENCE_MS + seconds * 1_000) throw new Error(`Not done in time: ${done}`);
        await pause(LOOK_EVERY_MS);
      }
    };
    await begin(count);
    await until(async () => (await countOf(done)) >= wanted);
    const tookS = (performance.now() - startedAt) / 1_000;
    await until(async () => (await countOf(DELIVERING)) === 0);
    return { count, perSecond: count / tookS, latencies: latencies ? await values(latencies, [count]) : [] };
  };
}

function messagesOf(url: string, session: BenchSession): Kind[] {
  let sent = 0;
  let received = 0;
  const message = (more: object) => () => sendTo(sent++, { session: session.id, ...more });
  const inbound = () => inboundEvent(session.name, received++);
  const read = "select count(*)::float8 as n from message where status in ('read', 'played')";
  return [
    {
      name: 'a message from request to read ack, with its events',
      each: 'message',
      perSecond: 60,
      begin: (count) => posts(url, count, message({})),
      next: message({}),
      done: read,
      latencies: `select extract(epoch from read_at - created_at)::float8 * 1000 as n from message
        where read_at is not null order by created_at desc limit $1`,
      maxCpuMs: 50,
    },
    {
      name: 'the same, bulk',
      each: 'message',
      perSecond: 60,
      begin: (count) => posts(url, count, message({ priority: 'bulk' })),
      done: read,
    },
    {
      name: 'an inbound message from webhook to dashboard',
      each: 'message',
      perSecond: 2_000,
      begin: (count) => posts(url, count, inbound),
      next: inbound,
      done: "select count(*)::float8 as n from message where direction = 'in'",
      latencies: `select extract(epoch from applied_at - received_at)::float8 * 1000 as n from backend_event
        where applied_at is not null order by id desc limit $1`,
    },
  ];
}

/** The contacts write by the sandbox, because their numbers must take the replies. */
function turnsOf(machine: Machine, agent: BenchSession): Kind {
  let written = 1_000;
  return {
    name: "a turn of the agent, from the inbound message to its reply's read ack",
    each: 'turn',
    perSecond: 20,
    begin: async (count) => {
      for (let index = 0; index < count; index += 1)
        await personWrites(machine, agent.name, `1555290${written++}`, 'Do you have a table for two?');
    },
    done: "select count(*)::float8 as n from message where origin = 'ai' and status in ('read', 'played')",
  };
}

function fastRow({ name }: Kind, measured: Measured): Result {
  return rowOf(measured, {
    path: `cost of 1,000: ${name}`,
    measured: `${cpuOfEach(measured)} s of CPU (${round(measured.perSecond)} /s)`,
    baseline: '',
    ratio: null,
    aim: 'published',
    met: true,
  });
}

/** The least that one execution costs Temporal, its client and its worker at the low rate. */
function bare(floors: BareWorkflows): Way {
  return {
    each: 'workflow',
    work: async (seconds): Promise<Work> => {
      const count = Math.max(1, Math.round(LOW_RATE * seconds));
      const before = process.cpuUsage();
      const latencies = await floors.atRate(LOW_RATE, count);
      const { user, system } = process.cpuUsage(before);
      return { count, perSecond: LOW_RATE, latencies, apiMs: (user + system) / 1_000 };
    },
  };
}

function slowRow({ name, maxCpuMs }: Kind, measured: Measured, floor: Measured): Result {
  const [p50, p95] = [0.5, 0.95].map((share) => round(percentile(measured.latencies, share)));
  const cpuMs = cpuOfEach(measured);
  return rowOf(measured, {
    path: `at ${LOW_RATE} /s: ${name}`,
    measured: `p50 ${p50} ms, p95 ${p95} ms, ${cpuMs} ms of CPU each`,
    baseline: `bare workflow ${cpuOfEach(floor)} ms of CPU`,
    ratio: round(cpuMs / cpuOfEach(floor)),
    aim: maxCpuMs === undefined ? 'published' : `≤ ${maxCpuMs} ms of CPU`,
    met: maxCpuMs === undefined || cpuMs <= maxCpuMs,
  });
}
