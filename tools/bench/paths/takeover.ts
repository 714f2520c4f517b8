import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { z } from 'zod';
import { connectDatabase } from '../../../db/connect.ts';
import type { Database } from '../../../db/engine/database.ts';
import { aWorkingSession } from '../../../test/db/a-database.ts';
import { withBoundaries } from '../../../test/db/sending/boundaries.ts';
import { runSchedule } from '../../../test/db/agent/takeover/schedule.ts';
import { anAgency, sendTo, TARGET } from '../agency.ts';
import { personWrites, withAgent } from '../agent.ts';
import { startChild } from '../child.ts';
import { closedLoop } from '../load.ts';
import type { Post } from '../load.ts';
import { MASTER_KEY } from '../machine.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { median, percentile, round } from '../statistics.ts';

/** The usual five seconds make ten thousand schedules. */
const SCHEDULES_PER_SECOND = 2_000;
const FIRST_SEED = 1;
const LANES = 6;
const SHOWN_VIOLATIONS = 10;
const CONVERSATIONS = 200;
const CONNECTIONS = 4;
const ROUNDS = 3;
/** Nothing listens at this address. */
const NO_TEMPORAL = '127.0.0.1:1';
const Accepted = z.object({ conversationId: z.string() });
const Assigned = z.object({ inFlight: z.array(z.object({ messageId: z.string() })) });

/** Measures how long the answer to a takeover takes. */
export async function takeover(machine: Machine, seconds: number): Promise<Result[]> {
  return [await withoutTemporal(machine, seconds), await withHungSend(machine)];
}

/**
 * Proves the promise of a takeover: it holds back each statement of all transactions and lets them go in the order that
 * a seed decides.
 */
export async function takeoverSchedules(machine: Machine, seconds: number): Promise<Result[]> {
  const count = Math.ceil(SCHEDULES_PER_SECOND * seconds);
  const lanes: { database: Database; sessionId: string }[] = [];
  for (let lane = 0; lane < LANES; lane += 1) {
    await machine.newSeries();
    const database = await open(machine.databaseUrl);
    await withBoundaries(database);
    lanes.push({ database, sessionId: await aWorkingSession(database) });
  }
  const broken: string[] = [];
  let [seed, sends, named, phoneWords] = [FIRST_SEED - 1, 0, 0, 0];
  const startedAt = performance.now();
  const run = async ({ database, sessionId }: (typeof lanes)[number]): Promise<void> => {
    while (seed < FIRST_SEED - 1 + count) {
      seed += 1;
      const of = seed;
      const schedule = await runSchedule(database, sessionId, of);
      sends += schedule.sends;
      named += schedule.named;
      phoneWords += schedule.phoneWords;
      broken.push(...schedule.violations.map((what) => `seed ${of} (${schedule.roles.join(', ')}): ${what}`));
    }
  };
  await Promise.all(lanes.map(run));
  const tookS = (performance.now() - startedAt) / 1_000;
  for (const { database } of lanes) await database.close();
  for (const what of broken.slice(0, SHOWN_VIOLATIONS)) console.log(`  ✗ ${what}`);
  if (broken.length > 0) process.exitCode = 1;
  return [
    {
      path: `takeover: ${count} schedules from seed ${FIRST_SEED}, AI sends after an answer that does not name them or after a word on the phone`,
      measured: `${broken.length} (${sends} sends, ${named} named, ${phoneWords} words on the phone, ${round(tookS, 0)} s)`,
      baseline: '',
      ratio: null,
      aim: '0',
      met: broken.length === 0,
    },
  ];
}

async function open(url: string): Promise<Database> {
  return connectDatabase({
    url,
    directUrl: url,
    encryptionKey: 'bench-encryption-key-0123456789-0123456789',
    webhooks: { publicUrl: 'http://engine.bench', timeoutMs: 15_000 },
    poolSize: 14,
    applicationName: 'bench-takeover',
    onError: () => undefined,
  });
}

/**
 * Lets an API process alone take conversations over and return them, against a bare update. Both take turns on the same
 * PostgreSQL.
 */
async function withoutTemporal(machine: Machine, seconds: number): Promise<Result> {
  await machine.newSeries();
  const bare = await startChild('./bare/update.ts', [machine.databaseUrl], {
    env: machine.env(),
    ready: /^http/,
  });
  const api = await machine.startEngine('api', { TEMPORAL_ADDRESS: NO_TEMPORAL });
  const { url } = api;
  try {
    await anAgency(url, { dashboardUrl: 'http://127.0.0.1:9/', working: false });
    const ids: string[] = [];
    for (let index = 0; index < CONVERSATIONS; index += 1) {
      const { path, headers, body } = sendTo(index);
      const answer = await fetch(url + path, { method: 'POST', headers, body });
      ids.push(Accepted.parse(await answer.json()).conversationId);
    }
    let posted = 0;
    const next = (): Post => {
      const at = posted++;
      return change(ids[at % ids.length] ?? '', Math.floor(at / ids.length) % 2 === 0 ? 'assign' : 'release');
    };
    const load = { connections: CONNECTIONS, seconds };
    await closedLoop(url, next, { ...load, seconds: 1 });
    await closedLoop(bare.line, next, { ...load, seconds: 1 });
    const [assigned, updated]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      updated.push(percentile((await closedLoop(bare.line, next, load)).latencies, 0.99));
      assigned.push(percentile((await closedLoop(url, next, load)).latencies, 0.99));
    }
    const ratio = median(assigned) / median(updated);
    return {
      path: 'takeover: assign with Temporal stopped, p99',
      measured: `${round(median(assigned))} ms`,
      baseline: `bare update through Koa ${round(median(updated))} ms`,
      ratio,
      aim: '≤ 6',
      met: ratio <= 6,
    };
  } finally {
    await api.stop();
    await bare.stop();
  }
}

/**
 * Takes over while the backend does not answer the agent's send: the takeover must not wait for that send, and must
 * name it.
 */
async function withHungSend(machine: Machine): Promise<Result> {
  return withAgent(machine, async ({ url, database, session }) => {
    try {
      await machine.sandbox('POST', '/faults', { route: 'sendText', kind: 'hang', count: 1, session: session.name });
      await personWrites(machine, session.name, '15552900001', 'Are you there?');
      const claimed = await untilClaimed(database);
      const { path, headers, body } = change(claimed.conversationId, 'assign');
      const startedAt = performance.now();
      const answer = await fetch(url + path, { method: 'POST', headers, body });
      const { inFlight } = Assigned.parse(await answer.json());
      const tookMs = performance.now() - startedAt;
      const isNamed = inFlight.some(({ messageId }) => messageId === claimed.id);
      return {
        path: "takeover: assign while the agent's send hangs",
        measured: `${round(tookMs, 0)} ms, ${isNamed ? 'named' : 'NOT named'} in the answer`,
        baseline: '',
        ratio: null,
        aim: '≤ 2200 ms, named',
        met: isNamed && tookMs <= 2_200,
      };
    } finally {
      await machine.sandbox('DELETE', '/faults');
    }
  });
}

async function untilClaimed(database: Pool): Promise<{ id: string; conversationId: string }> {
  for (;;) {
    const { rows } = await database.query<{ id: string; conversationId: string }>(
      `select id, conversation_id as "conversationId" from message where origin = 'ai' and status = 'sending'`,
    );
    if (rows[0]) return rows[0];
    await pause(20);
  }
}

export function change(conversationId: string, to: 'assign' | 'release'): Post {
  return {
    path: `/api/v1/conversations/${conversationId}/${to}?${new URLSearchParams(TARGET).toString()}`,
    headers: { 'content-type': 'application/json', 'x-api-key': MASTER_KEY },
    body: JSON.stringify({ ...TARGET }),
  };
}
