import { Client } from 'pg';
import { aSession, anAgency } from '../agency.ts';
import { startChild } from '../child.ts';
import { rowOf } from '../harness/harness.ts';
import { inboundEvent } from '../inbound-event.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { round } from '../statistics.ts';
import { measureReceiving } from './receiving.ts';

const SESSIONS = 20;
const MIN_RECEIVED = 1_500;
const MIN_APPLIED = 800;
const MIN_APPLIED_SHARE = 0.4;

/** Measures one process with everything in it that stores signed events of many sessions and applies their backlog. */
export async function ingestMany(machine: Machine, seconds: number): Promise<Result[]> {
  await machine.newSeries();
  const bare = await startChild('./bare/insert.ts', [machine.databaseUrl], {
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
    const { baseline, received, applied } = await measureReceiving(machine, {
      bareUrl: bare.line,
      url: engine.url,
      database,
      event,
      seconds,
    });
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
