import { setTimeout as pause } from 'node:timers/promises';
import { aSession, anAgency, sendTo, stopSession } from '../agency.ts';
import type { BenchSession } from '../agency.ts';
import { agentOn, personWrites } from '../agent.ts';
import { totalCpu } from '../cpu.ts';
import { Fleet } from '../fleet/fleet.ts';
import { Meter, REPORTED_MS, statementsOf, usageOfEach } from '../fleet/meter.ts';
import type { Reading, Usage } from '../fleet/meter.ts';
import { inboundEvent } from '../inbound-event.ts';
import { posts } from '../load.ts';
import type { Machine } from '../machine.ts';
import { Receivers } from '../receivers.ts';
import type { Result } from '../result.ts';
import { round } from '../statistics.ts';

const REST_MS = 10_000;
const SETTLE_MS = 3_000;
const LOOK_EVERY_MS = 100;
const PATIENCE_MS = 60_000;

/** A kind of work whose cost is counted: how much of it, how it begins, and what says that it is over. */
interface Work {
  name: string;
  count: number;
  begin: (url: string, count: number) => Promise<void>;
  /** Counts what is done by now. */
  done: string;
}

/**
 * Counts what each kind of work costs every kind of process, API and worker apart, without what rest costs in the same
 * time. Each runs as fast as it can; one dashboard gets all events.
 */
export async function cost(machine: Machine): Promise<Result[]> {
  const receivers = await Receivers.start(1);
  const fleet = await Fleet.start(machine);
  const meter = await Meter.open(fleet);
  try {
    const dashboardUrl = receivers.urls[0] ?? '';
    const session = await anAgency(fleet.url, { dashboardUrl, working: true });
    const agent = await aSession(fleet.url, 'agent');
    const away = await aSession(fleet.url, 'away');
    // An account that the backend lost would be brought back by its supervisor.
    await stopSession(fleet.url, away);
    const work = worksOf(session, away);
    // The first of each kind is not counted: it makes the plans and warms the caches.
    for (const { begin } of work) await begin(fleet.url, 20);
    await settle(meter);
    const restFrom = await meter.read();
    await pause(REST_MS);
    const rest = [restFrom, await meter.read()] as const;
    const results: Result[] = [];
    for (const one of work) results.push(row(one, await measure(fleet, meter, one, rest)));
    await agentOn(fleet.url);
    const turns = turnsOf(machine, agent);
    await turns.begin(fleet.url, 20);
    await settle(meter);
    results.push(row(turns, await measure(fleet, meter, turns, rest)));
    return results;
  } finally {
    await meter.close();
    await fleet.stop();
    await receivers.stop();
  }
}

async function measure(
  fleet: Fleet,
  meter: Meter,
  { count, begin, done }: Work,
  rest: readonly [Reading, Reading],
): Promise<Usage> {
  const before = await countOf(meter, done);
  const from = await meter.read();
  await begin(fleet.url, count);
  const deadline = performance.now() + PATIENCE_MS;
  while ((await countOf(meter, done)) < before + count) {
    if (performance.now() > deadline) throw new Error(`The work is not done within ${PATIENCE_MS / 1_000} s: ${done}`);
    await pause(LOOK_EVERY_MS);
  }
  await settle(meter);
  return usageOfEach([from, await meter.read()], rest, count);
}

/** Waits until all events are delivered and PostgreSQL's sessions have reported what they did. */
async function settle(meter: Meter): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  const open = "select count(*)::float8 as n from delivery where status = 'pending'";
  while ((await countOf(meter, open)) > 0 && performance.now() < deadline) await pause(LOOK_EVERY_MS);
  await pause(SETTLE_MS + REPORTED_MS);
}

async function countOf(meter: Meter, query: string): Promise<number> {
  const [found] = await meter.query<{ n: number }>(query);
  return found?.n ?? 0;
}

function worksOf(session: BenchSession, away: BenchSession): Work[] {
  let sent = 0;
  let received = 0;
  const send = (more: object) => async (url: string, count: number) =>
    posts(url, count, () => sendTo(sent++, { session: session.id, ...more }));
  const read = "select count(*)::float8 as n from message where status in ('read', 'played')";
  return [
    {
      name: 'a send that is accepted while its session is away',
      count: 3_000,
      begin: (url, count) => posts(url, count, () => sendTo(sent++, { session: away.id })),
      done: 'select count(*)::float8 as n from message',
    },
    { name: 'a message from request to read ack, with its events', count: 300, begin: send({}), done: read },
    { name: 'the same, bulk', count: 300, begin: send({ priority: 'bulk' }), done: read },
    {
      name: 'an inbound message from webhook to dashboard',
      count: 10_000,
      begin: (url, count) => posts(url, count, () => inboundEvent(session.name, received++)),
      done: "select count(*)::float8 as n from message where direction = 'in'",
    },
  ];
}

/** The contacts write by the sandbox, because their numbers must take the replies. */
function turnsOf(machine: Machine, agent: BenchSession): Work {
  let received = 1_000;
  return {
    name: "a turn of the agent, from the inbound message to its reply's read ack",
    count: 100,
    begin: async (_url, count) => {
      for (let index = 0; index < count; index += 1)
        await personWrites(machine, agent.name, `1555290${received++}`, 'Do you have a table for two?');
    },
    done: "select count(*)::float8 as n from message where origin = 'ai' and status in ('read', 'played')",
  };
}

function row({ name, count }: Work, usage: Usage): Result {
  const { cpuMs } = usage;
  return {
    path: `cost of 1,000: ${name}`,
    measured:
      `${round(totalCpu(cpuMs))} s of CPU (API ${round(cpuMs.api)}, worker ${round(cpuMs.worker)}, ` +
      `PostgreSQL ${round(cpuMs.postgres)}, Temporal ${round(cpuMs.temporal)}); each ` +
      `${round(statementsOf(usage))} statements, ${round(usage.commits)} commits, ${round(usage.buffers, 0)} buffers (${count})`,
    baseline: '',
    ratio: null,
    aim: 'published',
    met: true,
    cpuMs,
  };
}
