import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { SIGNALS } from '../../../domain/names.ts';
import { aSession, anAgency } from '../agency.ts';
import type { BenchSession } from '../agency.ts';
import { totalCpu } from '../cpu.ts';
import { Fleet } from '../fleet/fleet.ts';
import { Meter, REPORTED_MS, statementsOf, usagePerSecond } from '../fleet/meter.ts';
import type { Usage } from '../fleet/meter.ts';
import { untilSettled } from '../fleet/settled.ts';
import { NAMESPACE } from '../machine.ts';
import type { Machine } from '../machine.ts';
import { Receivers } from '../receivers.ts';
import type { Result } from '../result.ts';
import { makeSessions, makeTenants } from '../scale/ground.ts';

const SESSIONS = 10_000;
const TENANTS = 100;
/** A session at rest is looked at by its supervisor four times a day. */
const LOOKS_PER_SECOND = (SESSIONS * 4) / 86_400;
/** As long as two periods of the reconcile and of the backend's list. */
const WINDOW_S = 60;
const SUPERVISED = Math.ceil(LOOKS_PER_SECOND * WINDOW_S);
const SETTLE_PATIENCE_MS = 60_000;
const MAX_CORES = 0.2;
const MAX_STATEMENTS = 20;

/**
 * Measures what sessions cost that have nothing to do: the list of all of them, the looks at what they have heard, and as
 * many looks of supervisors as fall into the window, each with a comparison. An execution for each would take minutes to
 * start, so only those are followed that are looked at.
 */
export async function idleSessions(machine: Machine): Promise<Result[]> {
  const receivers = await Receivers.start(1);
  const [url = ''] = receivers.urls;
  const fleet = await Fleet.start(machine);
  const meter = await Meter.open(machine);
  try {
    const supervised = [await anAgency(fleet.url, { dashboardUrl: url, working: true })];
    while (supervised.length < SUPERVISED) supervised.push(await aSession(fleet.url, `idle-${supervised.length}`));
    const alone = await usageOver({ fleet, meter }, () => pause(WINDOW_S * 1_000));
    await makeTenants(fleet.url, url, TENANTS);
    await makeSessions({ machine, meter, url: fleet.url }, { from: 0, to: SESSIONS, tenants: TENANTS });
    await haveListened(meter);
    const looks = await looksOf(machine, supervised);
    const all = await usageOver({ fleet, meter }, () => looks.follow());
    await looks.close();
    return [resultOf(alone, all)];
  } finally {
    await meter.close();
    await fleet.stop();
    await receivers.stop();
  }
}

async function usageOver(
  { fleet, meter }: { fleet: Fleet; meter: Meter },
  work: () => Promise<unknown>,
): Promise<Usage> {
  await untilSettled(fleet.machine, SETTLE_PATIENCE_MS);
  await pause(REPORTED_MS);
  const from = await meter.read();
  await work();
  await pause(REPORTED_MS);
  return usagePerSecond(from, await meter.read());
}

/** Each session has been listened to for weeks, and is looked at once in the hour to come; none was compared lately. */
async function haveListened(meter: Meter): Promise<void> {
  await meter.query(
    `with heard as (
       insert into session_hearing (session_id, heard_at, look_at, learned_until, listens_from)
       select id, now() - interval '90 minutes', now() + random() * interval '1 hour',
         date_trunc('hour', now() - interval '1 hour'), now() - interval '30 days' from session
     )
     insert into session_pattern (session_id, heard, seen)
     select id, array_fill(2::real, array[168]), array_fill(4::real, array[168]) from session`,
  );
  await meter.query(`update session set status_changed_at = now() - interval '6 hours'`);
}

/** Has the sessions looked at one after the other, evenly over the window. */
async function looksOf(machine: Machine, sessions: readonly BenchSession[]) {
  const connection = await Connection.connect({ address: machine.temporalAddress });
  const client = new Client({ connection, namespace: NAMESPACE });
  return {
    async follow(): Promise<void> {
      const beganAt = performance.now();
      for (const [place, { id }] of sessions.entries()) {
        await client.workflow.getHandle(`session/${id}`).signal(SIGNALS.statusChanged);
        const nextAt = beganAt + ((place + 1) * WINDOW_S * 1_000) / sessions.length;
        await pause(Math.max(0, nextAt - performance.now()));
      }
    },
    close: () => connection.close(),
  };
}

function resultOf(alone: Usage, all: Usage): Result {
  const coresOf = ({ cpuMs }: Usage): number => totalCpu(cpuMs) / 1_000;
  const cores = Math.max(0, coresOf(all) - coresOf(alone));
  const statements = statementsOf(all);
  return {
    path: `${SESSIONS} idle sessions: supervision`,
    measured: `${cores.toFixed(3)} cores, ${statements.toFixed(1)} statements/s in all`,
    baseline: `${coresOf(alone).toFixed(3)} cores, ${statementsOf(alone).toFixed(1)} statements/s with ${SUPERVISED}`,
    ratio: null,
    aim: `≤ ${MAX_CORES} cores, ≤ ${MAX_STATEMENTS} statements/s`,
    met: cores <= MAX_CORES && statements <= MAX_STATEMENTS,
    usage: { each: 'second', cpuMs: all.cpuMs, statements, commits: all.commits },
  };
}
