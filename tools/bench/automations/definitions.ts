import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { z } from 'zod';
import { anAgency, TARGET } from '../agency.ts';
import { cpuMs } from '../cpu.ts';
import { inboundEvent } from '../inbound-event.ts';
import { posts } from '../load.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { median, round } from '../statistics.ts';
import { ask, createWorkflow, openClient, until } from './scene.ts';

const DEFINITIONS = 100;
const TENANTS = 100;
const EVENTS = 1_500;
const ROUNDS = 4;
/** A difference of a twentieth needs more readings than one of a millisecond. */
const ROUNDS_OF_WORKFLOWS = 6;
const AT_MOST_MS = 1;
const AT_MOST_RATIO = 1.05;
/** A process reads again what is switched on after ten seconds at the latest. */
const KNOWN_AGAIN_MS = 11_000;
/** They look at the words of each message. */
const TRIGGER = {
  event: 'message',
  text: { is: 'containing', words: Array.from({ length: 20 }, (_, index) => `a word that nobody writes ${index}`) },
};

/**
 * Measures what an inbound message costs more where a hundred automations that it does not start are on: in CPU of the
 * API and of PostgreSQL, because the time until it is applied tells more of what else runs.
 */
export async function manyDefinitions(machine: Machine): Promise<Result[]> {
  const { without, beside } = await measure(machine, ROUNDS, async (url, database) => {
    const { name } = await anAgency(url, { dashboardUrl: 'http://127.0.0.1:9/', working: false });
    await enable(database);
    return [name];
  });
  const moreMs = median(beside) - median(without);
  return [
    {
      ...costs(without, beside),
      path: `inbound message with ${DEFINITIONS} automations on`,
      aim: `≤ ${AT_MOST_MS} ms more`,
      met: moreMs <= AT_MOST_MS,
    },
  ];
}

/** Measures the same for stored workflows: an agency has a hundred, and each of its hundred tenants has all of them on. */
export async function manyWorkflows(machine: Machine): Promise<Result[]> {
  const { without, beside } = await measure(machine, ROUNDS_OF_WORKFLOWS, async (url, database) => {
    await anAgency(url, { dashboardUrl: 'http://127.0.0.1:9/', working: false });
    const sessions: string[] = [];
    for (let tenant = 1; tenant <= TENANTS; tenant += 1) sessions.push(await aSessionOf(url, `shop-${tenant}`));
    const on = { one: { with: { type: 'message', text: TRIGGER.text } } };
    for (let number = 1; number <= DEFINITIONS; number += 1) {
      await createWorkflow(url, [{ hello: { call: 'send', with: { text: `Hello ${number}` } } }], { schedule: { on } });
    }
    await enableWorkflows(database);
    return sessions;
  });
  return [
    {
      ...costs(without, beside),
      path: `inbound message of one of ${TENANTS} tenants with ${DEFINITIONS} stored workflows on each`,
      aim: `≤ ${AT_MOST_RATIO}`,
      met: median(beside) / median(without) <= AT_MOST_RATIO,
    },
  ];
}

/** Measures the CPU of an inbound message in turn without the automations that are made, and beside them. */
async function measure(
  machine: Machine,
  rounds: number,
  prepare: (url: string, database: Client) => Promise<string[]>,
): Promise<{ without: number[]; beside: number[] }> {
  await machine.newSeries();
  const database = await openClient(machine);
  const api = await machine.startEngine('api');
  try {
    const sessions = await prepare(api.url, database);
    let index = 0;
    const nextEvent = () => inboundEvent(sessions[index % sessions.length] ?? '', index++);
    const used = (): number => cpuMs(api.pid) + machine.cpuMs().postgres;
    const roundMs = async (enabled: boolean): Promise<number> => {
      await database.query('update automation set enabled = $1', [enabled]);
      await pause(KNOWN_AGAIN_MS);
      // A process reads what is switched on at a tenant's first event.
      await posts(api.url, sessions.length, nextEvent);
      await untilApplied(database);
      const before = used();
      await posts(api.url, EVENTS, nextEvent);
      await untilApplied(database);
      return (used() - before) / EVENTS;
    };
    await roundMs(false);
    const [without, beside]: [number[], number[]] = [[], []];
    for (let turn = 0; turn < rounds; turn += 1) {
      without.push(await roundMs(false));
      beside.push(await roundMs(true));
    }
    return { without, beside };
  } finally {
    await api.stop();
    await database.end();
  }
}

async function untilApplied(database: Client): Promise<void> {
  await until(async () => {
    const { rows } = await database.query<{ n: number }>(
      'select count(*)::int as n from backend_event where applied_at is null',
    );
    return rows[0]?.n === 0 ? true : null;
  });
}

function costs(without: readonly number[], beside: readonly number[]): Pick<Result, 'measured' | 'baseline' | 'ratio'> {
  const moreMs = median(beside) - median(without);
  return {
    measured: `${round(moreMs, 2)} ms of CPU more (${readings(beside)})`,
    baseline: `without: ${readings(without)} ms of CPU a message`,
    ratio: median(beside) / median(without),
  };
}

const readings = (of: readonly number[]): string => of.map((ms) => round(ms, 2)).join(', ');

const Session = z.object({ name: z.string() });

async function aSessionOf(url: string, tenantId: string): Promise<string> {
  return Session.parse(await ask(url, 'POST', '/api/v1/sessions', { tenantId })).name;
}

const AUTOMATION =
  'automation (id, agency_id, tenant_id, definition, enabled, params, trigger, version, created_at, updated_at)';

/** Switches on automations of a tenant, as if so many were in code. */
async function enable(database: Client): Promise<void> {
  await database.query(
    `insert into ${AUTOMATION}
    select 'aut_bench_' || n, $1, $2, 'bench-' || n, false, '{}', $3::jsonb, 1, now(), now()
    from generate_series(1, ${DEFINITIONS}) n`,
    [TARGET.agencyId, TARGET.tenantId, JSON.stringify(TRIGGER)],
  );
}

/** Switches on each workflow of the agency for each of its tenants. By requests this would take minutes. */
async function enableWorkflows(database: Client): Promise<void> {
  await database.query(
    `insert into ${AUTOMATION}
    select 'aut_bench_' || row_number() over (), t.agency_id, t.id, 'flow-' || substr(f.id, 5), false, '{}', $2::jsonb,
      1, now(), now()
    from tenant t join flow f on f.agency_id = t.agency_id where t.agency_id = $1`,
    [TARGET.agencyId, JSON.stringify(TRIGGER)],
  );
}
