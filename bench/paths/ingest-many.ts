import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { aSession, anAgency } from '../agency.ts';
import { startChild } from '../child.ts';
import { measure, rowOf } from '../harness/harness.ts';
import { inboundEvent } from '../inbound-event.ts';
import { closedLoop } from '../load.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { median, round } from '../statistics.ts';

const SESSIONS = 20;
const CONNECTIONS = 16;
const ROUNDS = 3;
const MIN_RECEIVED = 1_500;
const MIN_APPLIED = 800;
const MIN_APPLIED_SHARE = 0.4;
const APPLYING_MS = 20_000;

/** Measures one process with everything in it that stores signed events of many sessions and applies their backlog. */
export async function ingestMany(machine: Machine, seconds: number): Promise<Result[]> {
  await machine.newSeries();
  const bare = await startChild('../bench/bare/insert.ts', [machine.databaseUrl], {
    env: machine.env(),
    ready: /^http/,
  });
  const engine = await machine.startEngine('all');
  const database = new Client({ connectionString: machine.databaseUrl });
  await database.connect();
  try {
    const sessions = [await anAgency(engine.url, { dashboardUrl: 'http://127.0.0.1:9/', working: true })];
    while (sessions.length < SESSIONS) sessions.push(await aSession(engine.url, `many-${sessions.length}`));
    const event = (index: number) => inboundEvent(sessions[index % SESSIONS]?.name ?? '', index);
    const load = (forS: number) => ({ connections: CONNECTIONS, seconds: forS });
    const appliedRates: number[] = [];
    const of = await measure(
      machine,
      {
        bare: { each: 'insert', work: (forS) => closedLoop(bare.line, event, load(forS)) },
        engine: {
          each: 'event',
          work: async (forS) => {
            const loaded = await closedLoop(engine.url, event, load(forS));
            appliedRates.push(await appliedPerSecond(database));
            return loaded;
          },
        },
      },
      { seconds, rounds: ROUNDS },
    );
    const [baseline, received, applied] = [of('bare'), of('engine'), median(appliedRates.slice(-ROUNDS))];
    const share = applied / baseline.perSecond;
    return [
      rowOf(received, {
        path: 'backend events received by HTTP, signed, one process, many sessions',
        measured: `${round(received.perSecond, 0)} /s`,
        baseline: `bare insert ${round(baseline.perSecond, 0)} /s`,
        ratio: received.perSecond / baseline.perSecond,
        aim: `≥ ${MIN_RECEIVED} /s`,
        met: received.perSecond >= MIN_RECEIVED,
      }),
      rowOf(received, {
        path: `backend events applied, the backlog of ${SESSIONS} sessions`,
        measured: `${round(applied, 0)} /s`,
        baseline: `bare insert ${round(baseline.perSecond, 0)} /s`,
        ratio: share,
        aim: `≥ ${MIN_APPLIED} /s, ≥ ${MIN_APPLIED_SHARE}`,
        met: applied >= MIN_APPLIED && share >= MIN_APPLIED_SHARE,
      }),
    ];
  } finally {
    await database.end();
    await engine.stop();
    await bare.stop();
  }
}

/** Measures how many events are applied each second until nothing waits or the time is over. */
async function appliedPerSecond(database: Client): Promise<number> {
  const [before, startedAt] = [await waiting(database), performance.now()];
  for (;;) {
    await pause(50);
    const [left, elapsedMs] = [await waiting(database), performance.now() - startedAt];
    if (left === 0 || elapsedMs > APPLYING_MS) return ((before - left) * 1_000) / elapsedMs;
  }
}

async function waiting(database: Client): Promise<number> {
  const { rows } = await database.query<{ n: number }>(
    'select count(*)::int as n from backend_event where applied_at is null and parked_at is null',
  );
  return rows[0]?.n ?? 0;
}
