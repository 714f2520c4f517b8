import type { Client } from 'pg';
import { anAgency, TARGET } from '../agency.ts';
import { cpuMs } from '../cpu.ts';
import { inboundEvent } from '../inbound-event.ts';
import { posts } from '../load.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { median, round } from '../statistics.ts';
import { openClient, until } from './scene.ts';

const DEFINITIONS = 100;
const EVENTS = 1_500;
const ROUNDS = 4;
const AT_MOST_MS = 1;
/** A process reads again what is switched on after ten seconds at the latest. */
const KNOWN_AGAIN_MS = 11_000;

/**
 * Measures what an inbound message costs more where a hundred automations that it does not start are on: in CPU of the
 * API and of PostgreSQL, because the time until it is applied tells more of what else runs.
 */
export async function manyDefinitions(machine: Machine): Promise<Result[]> {
  await machine.newSeries();
  const database = await openClient(machine);
  const api = await machine.startEngine('api');
  try {
    const { name } = await anAgency(api.url, { dashboardUrl: 'http://127.0.0.1:9/', working: false });
    await enable(database);
    let index = 0;
    const used = (): number => cpuMs(api.pid) + machine.cpuMs().postgres;
    const roundMs = async (enabled: boolean): Promise<number> => {
      await database.query('update automation set enabled = $1', [enabled]);
      await new Promise((resolve) => setTimeout(resolve, KNOWN_AGAIN_MS));
      const before = used();
      await posts(api.url, EVENTS, () => inboundEvent(name, index++));
      await until(async () => {
        const { rows } = await database.query<{ n: number }>(
          'select count(*)::int as n from backend_event where applied_at is null',
        );
        return rows[0]?.n === 0 ? true : null;
      });
      return (used() - before) / EVENTS;
    };
    await roundMs(false);
    const [without, beside]: [number[], number[]] = [[], []];
    for (let turn = 0; turn < ROUNDS; turn += 1) {
      without.push(await roundMs(false));
      beside.push(await roundMs(true));
    }
    const moreMs = median(beside) - median(without);
    return [
      {
        path: `inbound message with ${DEFINITIONS} automations on`,
        measured: `${round(moreMs, 2)} ms of CPU more (${readings(beside)})`,
        baseline: `without: ${readings(without)} ms of CPU a message`,
        ratio: median(beside) / median(without),
        aim: `≤ ${AT_MOST_MS} ms more`,
        met: moreMs <= AT_MOST_MS,
      },
    ];
  } finally {
    await api.stop();
    await database.end();
  }
}

const readings = (of: readonly number[]): string => of.map((ms) => round(ms, 2)).join(', ');

/** Switches on automations of a tenant that look at the words of each message, as if so many were in code. */
async function enable(database: Client): Promise<void> {
  const words = Array.from({ length: 20 }, (_, index) => `a word that nobody writes ${index}`);
  const trigger = { event: 'message', text: { is: 'containing', words } };
  await database.query(
    `insert into automation (id, agency_id, tenant_id, definition, enabled, params, trigger, version, created_at, updated_at)
    select 'aut_bench_' || n, $1, $2, 'bench-' || n, false, '{}', $3::jsonb, 1, now(), now()
    from generate_series(1, ${DEFINITIONS}) n`,
    [TARGET.agencyId, TARGET.tenantId, JSON.stringify(trigger)],
  );
}
