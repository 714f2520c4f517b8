import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { anAgency, sendTo } from '../agency.ts';
import { BareWorkflows } from '../bare-workflows.ts';
import { cpuMs } from '../cpu.ts';
import { posts } from '../load.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { Sink } from '../sink.ts';
import { median, round } from '../statistics.ts';

const MESSAGES = 300;
const BARE = 200;
const AT_ONCE = 100;
const ROUNDS = 2;

interface Run {
  perSecond: number;
  cpu: Record<string, number>;
}

/**
 * Measures whole lifecycles, from the request to the ack `delivered`, of an engine in one process with everything on
 * one machine. The baseline is bare workflows with one no-op activity on the same Temporal. Engine and baseline take
 * turns.
 */
export async function lifecycle(machine: Machine): Promise<Result[]> {
  await machine.newDatabase();
  const bare = await BareWorkflows.start(machine.temporalAddress);
  const sink = await Sink.start();
  const engine = await machine.startEngine('all');
  const database = new Client({ connectionString: machine.databaseUrl });
  await database.connect();
  try {
    await anAgency(engine.url, { dashboardUrl: sink.url, working: true });
    const pids = { engine: engine.pid, ...machine.pids };
    let sent = 0;
    const once = async (bulk: boolean): Promise<Run> => {
      const first = sent;
      const more = bulk ? { priority: 'bulk' } : {};
      const before = usedBy(pids);
      const startedAt = performance.now();
      await posts(engine.url, MESSAGES, () => sendTo(sent++, more));
      await untilDelivered(database, first + MESSAGES);
      const perSecond = (MESSAGES * 1_000) / (performance.now() - startedAt);
      const after = usedBy(pids);
      const cpu = Object.fromEntries(
        Object.keys(after).map((name) => [name, ((after[name] ?? 0) - (before[name] ?? 0)) / MESSAGES]),
      );
      // The pause lets this run's watches end and its events go out before the next run.
      await pause(2_000);
      return { perSecond, cpu };
    };
    await bare.perSecond(50, 50);
    await once(false);
    const floors: number[] = [];
    const watched: Run[] = [];
    const bulk: Run[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      floors.push(await bare.perSecond(BARE, AT_ONCE));
      watched.push(await once(false));
      floors.push(await bare.perSecond(BARE, AT_ONCE));
      bulk.push(await once(true));
    }
    const floor = median(floors);
    return [
      line('whole lifecycles, accepted to delivered', watched, floor, 0.65),
      line('the same, bulk', bulk, floor, 1.5),
    ];
  } finally {
    await database.end();
    await engine.stop();
    await bare.stop();
    await sink.stop();
  }
}

function usedBy(pids: Record<string, number>): Record<string, number> {
  const used = Object.entries(pids).map(([name, pid]): [string, number] => [name, cpuMs(pid)]);
  const { user, system } = process.cpuUsage();
  return { ...Object.fromEntries(used), 'bench and sandbox': (user + system) / 1_000 };
}

async function untilDelivered(database: Client, count: number): Promise<void> {
  for (;;) {
    const { rows } = await database.query<{ n: string }>(
      'select count(*) as n from message where delivered_at is not null',
    );
    if (Number(rows[0]?.n) >= count) return;
    await pause(50);
  }
}

function line(path: string, runs: readonly Run[], floor: number, atLeast: number): Result {
  const perSecond = median(runs.map((run) => run.perSecond));
  const cpu = Object.entries(runs.at(-1)?.cpu ?? {}).map(([name, ms]) => `${name} ${round(ms)}`);
  const ratio = perSecond / floor;
  return {
    path,
    measured: `${round(perSecond)} /s (ms of CPU each: ${cpu.join(', ')})`,
    baseline: `bare workflows ${round(floor)} /s`,
    ratio,
    aim: `≥ ${atLeast}`,
    met: ratio >= atLeast,
  };
}
