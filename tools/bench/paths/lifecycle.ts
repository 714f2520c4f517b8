import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { anAgency, sendTo } from '../agency.ts';
import { BareWorkflows } from '../bare-workflows.ts';
import { measure, rowOf } from '../harness/harness.ts';
import type { Measured, Way } from '../harness/harness.ts';
import { posts } from '../load.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { Sink } from '../sink.ts';
import { round } from '../statistics.ts';

const MESSAGES_A_SECOND = 60;
const BARE_A_SECOND = 40;
const AT_ONCE = 100;

/**
 * Measures whole lifecycles, from the request to the ack `delivered`, of an engine in one process with everything on
 * one machine. The baseline is bare workflows with one no-op activity on the same Temporal. Engine and baseline take
 * turns.
 */
export async function lifecycle(machine: Machine, seconds: number): Promise<Result[]> {
  await machine.newSeries();
  const bare = await BareWorkflows.start(machine.temporalAddress);
  const sink = await Sink.start();
  const engine = await machine.startEngine('all');
  const database = new Client({ connectionString: machine.databaseUrl });
  await database.connect();
  try {
    await anAgency(engine.url, { dashboardUrl: sink.url, working: true });
    let sent = 0;
    const messages =
      (more: object): Way['work'] =>
      async (forS) => {
        const count = Math.ceil(MESSAGES_A_SECOND * forS);
        const [wanted, startedAt] = [sent + count, performance.now()];
        await posts(engine.url, count, () => sendTo(sent++, more));
        await until(database, wanted, 'delivered_at');
        const perSecond = (count * 1_000) / (performance.now() - startedAt);
        // The acks that are left belong to this window.
        await until(database, wanted, 'read_at');
        return { count, perSecond, latencies: [] };
      };
    const workflows: Way['work'] = async (forS) => {
      const count = Math.ceil(BARE_A_SECOND * forS);
      return { count, perSecond: await bare.perSecond(count, AT_ONCE), latencies: [] };
    };
    const of = await measure(
      machine,
      {
        bare: { each: 'workflow', work: workflows },
        single: { each: 'message', work: messages({}) },
        bulk: { each: 'message', work: messages({ priority: 'bulk' }) },
      },
      { seconds },
    );
    return [
      line('whole lifecycles, accepted to delivered', of('single'), of('bare'), 0.65),
      line('the same, bulk', of('bulk'), of('bare'), 1.5),
    ];
  } finally {
    await database.end();
    await engine.stop();
    await bare.stop();
    await sink.stop();
  }
}

async function until(database: Client, count: number, ack: 'delivered_at' | 'read_at'): Promise<void> {
  for (;;) {
    const { rows } = await database.query<{ n: number }>(
      `select count(*)::int as n from message where ${ack} is not null`,
    );
    if ((rows[0]?.n ?? 0) >= count) return;
    await pause(50);
  }
}

function line(path: string, engine: Measured, bare: Measured, atLeast: number): Result {
  const ratio = engine.perSecond / bare.perSecond;
  return rowOf(engine, {
    path,
    measured: `${round(engine.perSecond)} /s`,
    baseline: `bare workflows ${round(bare.perSecond)} /s`,
    ratio,
    aim: `≥ ${atLeast}`,
    met: ratio >= atLeast,
  });
}
