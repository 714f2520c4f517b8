import { setTimeout as pause } from 'node:timers/promises';
import { BareWorkflows } from '../bare-workflows.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { median, percentile, round } from '../statistics.ts';
import { ask, aTalkingAgency, begin, firstStepAfterMs, openClient, UNBOUNDED } from './scene.ts';

const RUNS = 40;
const PEOPLE = 10;
const AT_MOST = 4;
/** After it the message of a run, its ack and their events are over. */
const SETTLED_MS = 500;

/** Measures from what begins a run to its first step, one run at a time on an idle engine. */
export async function automationStart(machine: Machine): Promise<Result[]> {
  await machine.newSeries();
  const floors = await BareWorkflows.start(machine.temporalAddress);
  const database = await openClient(machine);
  const engine = await machine.startEngine('all', UNBOUNDED);
  try {
    const { conversations } = await aTalkingAgency(engine.url, database, { people: PEOPLE });
    await ask(engine.url, 'PUT', '/api/v1/automations/ask-satisfaction', { enabled: true });
    const runs: number[] = [];
    for (let index = 0; index < RUNS; index += 1) {
      const conversationId = conversations[index % PEOPLE];
      const id = await begin(engine.url, { automation: 'ask-satisfaction', conversationId });
      runs.push(await firstStepAfterMs(database, id));
      await pause(SETTLED_MS);
    }
    const bare = await floors.startToActivity(RUNS);
    const ratio = median(runs) / median(bare);
    return [
      {
        path: 'trigger of an automation to its first step, idle',
        measured: `p50 ${round(median(runs))} ms, p95 ${round(percentile(runs, 0.95))} ms (${runs.length})`,
        baseline: `start of a workflow to its one activity p50 ${round(median(bare))} ms`,
        ratio,
        aim: `≤ ${AT_MOST}`,
        met: ratio <= AT_MOST,
      },
    ];
  } finally {
    await engine.stop();
    await database.end();
    await floors.stop();
  }
}
