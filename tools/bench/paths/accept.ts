import { anAgency, sendTo } from '../agency.ts';
import { startChild } from '../child.ts';
import { cpuOfEach, measure, rowOf } from '../harness/harness.ts';
import type { Measured } from '../harness/harness.ts';
import { closedLoop, openLoop } from '../load.ts';
import type { Post } from '../load.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { median, percentile, round } from '../statistics.ts';

const CONNECTIONS = 16;
/** A rate at which hardly any send has company. */
const LOW_RATE = 20;
const MAX_CPU_MS = 4;
/** The recipients who are known already: each has a conversation with messages. */
const KNOWN = 50;

/**
 * Measures how an API process alone accepts sends. The session is not connected, so sends become rows and nothing is
 * started. Baseline and engine take turns on the same PostgreSQL.
 */
export async function accept(machine: Machine, seconds: number): Promise<Result[]> {
  await machine.newSeries();
  const bare = await startChild('./bare/insert.ts', [machine.databaseUrl], {
    env: machine.env(),
    ready: /^http/,
  });
  const api = await machine.startEngine('api');
  try {
    await anAgency(api.url, { dashboardUrl: 'http://127.0.0.1:9/', working: false });
    let sent = 0;
    const load = (url: string, next: (index: number) => Post) => ({
      fast: (forS: number) => closedLoop(url, next, { connections: CONNECTIONS, seconds: forS }),
      slow: (forS: number) => openLoop(url, next, { perSecond: LOW_RATE, seconds: forS }),
    });
    const [insert, fresh] = [load(bare.line, sendTo), load(api.url, () => sendTo(sent++))];
    const known = load(api.url, (index) => sendTo(index % KNOWN));
    const slow = await measure(
      machine,
      { bare: { each: 'insert', work: insert.slow }, engine: { each: 'send', work: fresh.slow } },
      { seconds },
    );
    const fast = await measure(
      machine,
      {
        bare: { each: 'insert', work: insert.fast },
        engine: { each: 'send', work: fresh.fast },
        known: { each: 'send', work: known.fast },
      },
      { seconds },
    );
    return [
      ...compare(fast('engine'), fast('known'), fast('bare')),
      latencyRow(`accept, ${LOW_RATE} /s`, slow('engine'), slow('bare')),
    ];
  } finally {
    await api.stop();
    await bare.stop();
  }
}

function compare(engine: Measured, known: Measured, baseline: Measured): Result[] {
  const against = `bare insert ${round(baseline.perSecond, 0)} /s`;
  const rateRow = (path: string, of: Measured, aim: number): Result => {
    const ratio = of.perSecond / baseline.perSecond;
    const measured = `${round(of.perSecond, 0)} /s`;
    return rowOf(of, { path, measured, baseline: against, ratio, aim: `≥ ${aim}`, met: ratio >= aim });
  };
  const [p99, p99OfBare] = [engine, baseline].map(({ latencies }) => percentile(latencies, 0.99));
  const ratio = (p99 ?? 0) / (p99OfBare ?? 0);
  return [
    rateRow(`accept, throughput (${CONNECTIONS} connections)`, engine, 0.35),
    rateRow(`accept, known recipients (${KNOWN})`, known, 0.5),
    rowOf(engine, {
      path: 'accept, p99',
      measured: `${round(p99 ?? 0)} ms`,
      baseline: `bare insert ${round(p99OfBare ?? 0)} ms`,
      ratio,
      aim: '≤ 4',
      met: ratio <= 4,
    }),
  ];
}

function latencyRow(path: string, engine: Measured, baseline: Measured): Result {
  const [p50, p50OfBare] = [median(engine.latencies), median(baseline.latencies)];
  return rowOf(engine, {
    path,
    measured: `p50 ${round(p50)} ms, p95 ${round(percentile(engine.latencies, 0.95))} ms`,
    baseline: `bare insert p50 ${round(p50OfBare)} ms`,
    ratio: p50 / p50OfBare,
    aim: `≤ ${MAX_CPU_MS} ms of CPU`,
    met: cpuOfEach(engine) <= MAX_CPU_MS,
  });
}
