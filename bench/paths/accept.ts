import { anAgency, sendTo } from '../agency.ts';
import { startChild } from '../child.ts';
import { closedLoop } from '../load.ts';
import type { Load } from '../load.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { median, percentile, round } from '../statistics.ts';

const CONNECTIONS = 16;
const ROUNDS = 3;
/** The recipients who are known already: each has a conversation with messages. */
const KNOWN = 50;

/**
 * Measures how an API process alone accepts sends. The session is not connected, so sends become rows and nothing is
 * started. Baseline and engine take turns on the same PostgreSQL.
 */
export async function accept(machine: Machine, seconds: number): Promise<Result[]> {
  await machine.newDatabase();
  const bare = await startChild('../bench/bare/insert.ts', [machine.databaseUrl], {
    env: machine.env(),
    ready: /^http/,
  });
  const api = await machine.startEngine('api');
  try {
    await anAgency(api.url, { dashboardUrl: 'http://127.0.0.1:9/', working: false });
    const load = { connections: CONNECTIONS, seconds };
    let sent = 0;
    const knownOnce = (): Promise<Load> => closedLoop(api.url, (index) => sendTo(index % KNOWN), load);
    const engineOnce = (): Promise<Load> => closedLoop(api.url, () => sendTo(sent++), load);
    const bareOnce = (): Promise<Load> => closedLoop(bare.line, sendTo, load);
    await closedLoop(api.url, () => sendTo(sent++), { ...load, seconds: 1 });
    await closedLoop(bare.line, sendTo, { ...load, seconds: 1 });
    const engine: Load[] = [];
    const known: Load[] = [];
    const baseline: Load[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      baseline.push(await bareOnce());
      engine.push(await engineOnce());
      known.push(await knownOnce());
    }
    return compare(engine, known, baseline);
  } finally {
    await api.stop();
    await bare.stop();
  }
}

function compare(engine: Load[], known: Load[], baseline: Load[]): Result[] {
  const rate = (loads: Load[]): number => median(loads.map((load) => load.perSecond));
  const p99 = (loads: Load[]): number => median(loads.map((load) => percentile(load.latencies, 0.99)));
  const rateRatio = rate(engine) / rate(baseline);
  const knownRatio = rate(known) / rate(baseline);
  const p99Ratio = p99(engine) / p99(baseline);
  return [
    {
      path: `accept, throughput (${CONNECTIONS} connections)`,
      measured: `${round(rate(engine), 0)} /s`,
      baseline: `bare insert ${round(rate(baseline), 0)} /s`,
      ratio: rateRatio,
      aim: '≥ 0.35',
      met: rateRatio >= 0.35,
    },
    {
      path: `accept, known recipients (${KNOWN})`,
      measured: `${round(rate(known), 0)} /s`,
      baseline: `bare insert ${round(rate(baseline), 0)} /s`,
      ratio: knownRatio,
      aim: '≥ 0.5',
      met: knownRatio >= 0.5,
    },
    {
      path: 'accept, p99',
      measured: `${round(p99(engine))} ms`,
      baseline: `bare insert ${round(p99(baseline))} ms`,
      ratio: p99Ratio,
      aim: '≤ 4',
      met: p99Ratio <= 4,
    },
  ];
}
