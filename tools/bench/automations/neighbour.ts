import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { beginExecutions } from '../../../db/automations/start.ts';
import { newId } from '../../../db/engine/new-id.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { median, round } from '../statistics.ts';
import { ask, aTalkingAgency, begin, firstStepAfterMs, openClient, openDatabase, UNBOUNDED } from './scene.ts';

const QUEUED = 10_000;
const AT_ONCE = 1_000;
const RUNS = 15;
const PEOPLE = 5;
const AT_MOST_MS = 1_000;
const NEIGHBOUR = 'neighbour';
const AUTOMATION = 'ask-satisfaction';

/** Measures how long a single run of an agency takes to its first step while another agency has ten thousand queued. */
export async function automationNeighbour(machine: Machine): Promise<Result[]> {
  await machine.newSeries();
  const client = await openClient(machine);
  const database = await openDatabase(machine);
  const engine = await machine.startEngine('all', UNBOUNDED);
  try {
    const { conversations } = await aTalkingAgency(engine.url, client, { people: PEOPLE });
    await aTalkingAgency(engine.url, client, { people: 1, agencyId: NEIGHBOUR });
    await ask(engine.url, 'PUT', `/api/v1/automations/${AUTOMATION}`, { enabled: true });
    await ask(engine.url, 'PUT', `/api/v1/automations/${AUTOMATION}`, { agencyId: NEIGHBOUR, enabled: true });
    const single = async (count: number): Promise<number[]> => {
      const runs: number[] = [];
      for (let index = 0; index < count; index += 1) {
        const conversationId = conversations[index % PEOPLE];
        const id = await begin(engine.url, { automation: AUTOMATION, conversationId });
        runs.push(await firstStepAfterMs(client, id));
        await pause(500);
      }
      return runs;
    };
    const alone = await single(RUNS);
    const automationId = await idOf(client);
    for (let done = 0; done < QUEUED; done += AT_ONCE) {
      const starts = Array.from({ length: AT_ONCE }, () => {
        const id = newId('exe');
        const begun = { event: 'request' };
        return { id, automationId, conversationId: null, sessionId: null, begun, key: id, isFirst: false };
      });
      await database.transaction((tx) => beginExecutions(tx, NEIGHBOUR, starts));
    }
    const beside = await single(RUNS);
    const left = await leftOf(client);
    const delayMs = median(beside) - median(alone);
    return [
      {
        path: `one run beside another agency's ${QUEUED} queued`,
        measured: `p50 ${round(median(beside), 0)} ms, most ${round(Math.max(...beside), 0)} ms (${left} left after)`,
        baseline: `alone p50 ${round(median(alone), 0)} ms, most ${round(Math.max(...alone), 0)} ms`,
        ratio: null,
        aim: `≤ ${AT_MOST_MS} ms more`,
        met: delayMs <= AT_MOST_MS && left > 0,
      },
    ];
  } finally {
    await engine.stop();
    await database.close();
    await client.end();
  }
}

async function idOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>('select id from automation where agency_id = $1', [NEIGHBOUR]);
  return rows[0]?.id ?? '';
}

async function leftOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::int as n from automation_execution where agency_id = $1 and status = 'running'`,
    [NEIGHBOUR],
  );
  return rows[0]?.n ?? 0;
}
