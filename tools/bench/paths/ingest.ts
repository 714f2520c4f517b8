import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { anAgency } from '../agency.ts';
import { startChild } from '../child.ts';
import { rowOf } from '../harness/harness.ts';
import { inboundEvent } from '../inbound-event.ts';
import { openLoop } from '../load.ts';
import type { Post } from '../load.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { round } from '../statistics.ts';
import { measureReceiving } from './receiving.ts';

/**
 * Measures how an API process alone stores the backend's events and applies them afterwards. No dashboard is reachable.
 */
export async function ingest(machine: Machine, seconds: number): Promise<Result[]> {
  await machine.newSeries();
  const bare = await startChild('./bare/insert.ts', [machine.databaseUrl], {
    env: machine.env(),
    ready: /^http/,
  });
  const api = await machine.startEngine('api');
  const database = new Client({ connectionString: machine.databaseUrl });
  await database.connect();
  try {
    const { name } = await anAgency(api.url, { dashboardUrl: 'http://127.0.0.1:9/', working: false });
    const event = (index: number): Post => inboundEvent(name, index);
    const { baseline, received, applied } = await measureReceiving(machine, {
      bareUrl: bare.line,
      url: api.url,
      database,
      event,
      seconds,
    });
    // One process receives and applies here, so its half is half of what it can do of both.
    const both = 1 / (1 / received.perSecond + 1 / applied);
    const lag = await lagAtRate(database, api.url, event, { perSecond: both / 2, seconds });
    return [
      rowOf(received, {
        path: 'backend event received',
        measured: `${round(received.perSecond, 0)} /s`,
        baseline: `bare insert ${round(baseline.perSecond, 0)} /s`,
        ratio: received.perSecond / baseline.perSecond,
        aim: '≥ 0.5',
        met: received.perSecond / baseline.perSecond >= 0.5,
      }),
      rowOf(received, {
        path: 'backend event applied (backlog of one session)',
        measured: `${round(applied, 0)} /s`,
        baseline: `bare insert ${round(baseline.perSecond, 0)} /s`,
        ratio: applied / baseline.perSecond,
        aim: '≥ 0.3',
        met: applied / baseline.perSecond >= 0.3,
      }),
      {
        path: `lag from received to applied at ${round(both / 2, 0)} events/s`,
        measured: `p50 ${round(lag.p50)} ms, p95 ${round(lag.p95)} ms`,
        baseline: '',
        ratio: null,
        aim: 'p95 ≤ 200 ms',
        met: lag.p95 <= 200,
      },
    ];
  } finally {
    await database.end();
    await api.stop();
    await bare.stop();
  }
}

async function lagAtRate(
  database: Client,
  url: string,
  event: (index: number) => Post,
  rate: { perSecond: number; seconds: number },
): Promise<{ p50: number; p95: number }> {
  while ((await unapplied(database)) > 0) await pause(200);
  const { rows: marks } = await database.query<{ id: string }>('select coalesce(max(id), 0) as id from backend_event');
  await openLoop(url, event, rate);
  while ((await unapplied(database)) > 0) await pause(200);
  const { rows } = await database.query<{ p50: number; p95: number }>(
    `select percentile_cont(0.5) within group (order by lag) as p50, percentile_cont(0.95) within group (order by lag) as p95
     from (select extract(epoch from applied_at - received_at)::float8 * 1000 as lag from backend_event where id > $1) lags`,
    [marks[0]?.id],
  );
  return rows[0] ?? { p50: 0, p95: 0 };
}

async function unapplied(database: Client): Promise<number> {
  const { rows } = await database.query<{ n: string }>(
    'select count(*) as n from backend_event where applied_at is null',
  );
  return Number(rows[0]?.n);
}
