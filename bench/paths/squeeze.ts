import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { squeeze } from '../../demo/cpu-share.ts';
import { withChildren } from '../../demo/descendants.ts';
import { TARGET } from '../agency.ts';
import { arrivals, personWrites, withAgent } from '../agent.ts';
import { MASTER_KEY } from '../machine.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { percentile, round } from '../statistics.ts';

/** The shares of the machine: 0.4 and 0.2 cores of two. */
const SHARES = [0.2, 0.1];
/** The usual five seconds make three hundred. */
const CUSTOMERS_PER_SECOND = 60;
const WRITES_EVERY_MS = 100;
/** No cell takes longer than four minutes, so a smaller share gets fewer customers. */
const ENDED_WITHIN_MS = 210_000;
const FEWEST = 20;
const MODEL_MS = 1_000;
/** The numbers from here on are no magic numbers of the sandbox. */
const FIRST_PERSON = 5_601_000;
const PERSON_REPLIES_EVERY_MS = 2_000;
/** The last replies are still on their way when the last customer is answered. */
const PERSON_SENT_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 100;
const KINDS = ['engine', 'temporal', 'postgres'] as const;
const LEAST_OF_SHARE = 0.7;

interface Cell {
  how: string;
  answersPerSecond: number;
  unanswered: number;
  expired: number;
  stale: number;
  /** Milliseconds from a person's reply to the backend. */
  personMs: number[];
}

/**
 * Measures customers who write together, and a person who replies meanwhile, with the whole machine and with a part of
 * its CPU. The engine must do that part of the work.
 */
export async function squeezed(machine: Machine, seconds: number): Promise<Result[]> {
  const most = Math.round(CUSTOMERS_PER_SECOND * seconds);
  const alone = await cell(machine, most, null);
  const results: Result[] = [];
  for (const share of SHARES) {
    const rate = alone.answersPerSecond * share;
    const customers = Math.max(FEWEST, Math.min(most, Math.round((rate * ENDED_WITHIN_MS) / 2_000)));
    results.push(...rows(alone, await cell(machine, customers, share), { share, customers }));
  }
  return results;
}

function rows(alone: Cell, found: Cell, { share, customers }: { share: number; customers: number }): Result[] {
  const ratio = found.answersPerSecond / (alone.answersPerSecond * share);
  const path = `squeeze: ${customers} customers, ${found.how}`;
  const person = percentile(found.personMs, 0.95) / percentile(alone.personMs, 0.95);
  return [
    {
      path,
      measured: `${round(found.answersPerSecond)} answers/s, ${found.unanswered} without, ${found.expired} expired, ${found.stale} stale`,
      baseline: `alone ${round(alone.answersPerSecond)} answers/s × ${share}`,
      ratio,
      aim: `≥ ${LEAST_OF_SHARE}, 0, 0 and 0`,
      met: ratio >= LEAST_OF_SHARE && found.unanswered + found.expired + found.stale === 0,
    },
    {
      path: `${path}: a person's reply`,
      measured: `p95 ${round(percentile(found.personMs, 0.95))} ms (${found.personMs.length})`,
      baseline: `alone p95 ${round(percentile(alone.personMs, 0.95))} ms`,
      ratio: person,
      aim: `≤ ${2 / share}`,
      met: person <= 2 / share,
    },
  ];
}

async function cell(machine: Machine, customers: number, share: number | null): Promise<Cell> {
  return withAgent(machine, async ({ url, database, session: { name: session } }) => {
    // A turn asks the model once, or once more when it is begun anew.
    const replies = Array.from({ length: customers * 2 }, () => ({ hangMs: MODEL_MS }));
    await machine.sandbox('POST', '/llm/script', { replies });
    const scene = { machine, url, session, conversation: await aChat(machine, session, database) };
    const held =
      share === null ? null : await squeeze(withChildren(KINDS.flatMap((kind) => machine.pids(kind))), share);
    const before = await answersOf(database);
    const startedAt = performance.now();
    try {
      const writes = customersWrite(scene, customers);
      const texts = new Map<string, number>();
      const isOver = async (): Promise<boolean> =>
        (await answersOf(database)) - before >= customers || performance.now() - startedAt > ENDED_WITHIN_MS;
      while (!(await isOver())) {
        const text = `A person replies, ${texts.size + 1}`;
        texts.set(text, performance.timeOrigin + performance.now());
        await personReplies(scene, text);
        await pause(PERSON_REPLIES_EVERY_MS);
      }
      await writes;
      const answersPerSecond = ((await answersOf(database)) - before) / ((performance.now() - startedAt) / 1_000);
      return {
        how: held?.how ?? 'alone',
        answersPerSecond,
        personMs: await agesOf(scene, texts),
        ...(await left(database)),
      };
    } finally {
      await held?.release();
    }
  });
}

interface Scene {
  machine: Machine;
  url: string;
  session: string;
  /** The conversation in which a person replies. */
  conversation: string;
}

async function customersWrite({ machine, session }: Scene, customers: number): Promise<void> {
  for (let index = 0; index < customers; index += 1) {
    await personWrites(machine, session, `1555${FIRST_PERSON + index}`, `Customer ${index} asks`);
    await pause(WRITES_EVERY_MS);
  }
}

/** Lets somebody write, whom the agent answers, and returns their conversation. */
async function aChat(machine: Machine, session: string, database: Pool): Promise<string> {
  await personWrites(machine, session, `1555${FIRST_PERSON - 1}`, 'A customer who wants a person');
  for (;;) {
    const { rows: found } = await database.query<{ id: string }>(
      `select conversation_id as id from message where origin = 'ai' and sent_at is not null`,
    );
    if (found[0]) return found[0].id;
    await pause(LOOK_EVERY_MS);
  }
}

async function personReplies({ url, conversation }: Scene, text: string): Promise<void> {
  const answer = await fetch(`${url}/api/v1/inbox/conversations/${conversation}/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': MASTER_KEY },
    body: JSON.stringify({ ...TARGET, text }),
  });
  if (answer.status !== 202) throw new Error(`A person's reply was answered ${answer.status}: ${await answer.text()}`);
}

/** The ages of a person's replies when they came to the backend; one that does not come has the longest. */
async function agesOf({ machine, session }: Scene, texts: ReadonlyMap<string, number>): Promise<number[]> {
  const until = performance.now() + PERSON_SENT_WITHIN_MS;
  for (;;) {
    const cameAt = new Map((await arrivals(machine, session)).map(({ body, atMs }) => [body, atMs]));
    if ([...texts.keys()].every((text) => cameAt.has(text)) || performance.now() > until) {
      return [...texts].map(([text, askedAt]) => (cameAt.get(text) ?? askedAt + ENDED_WITHIN_MS) - askedAt);
    }
    await pause(LOOK_EVERY_MS);
  }
}

async function answersOf(database: Pool): Promise<number> {
  const { rows: found } = await database.query<{ n: number }>(
    `select count(*)::int as n from message where origin = 'ai' and sent_at is not null`,
  );
  return found[0]?.n ?? 0;
}

async function left(database: Pool): Promise<Pick<Cell, 'unanswered' | 'expired' | 'stale'>> {
  const { rows: found } = await database.query<Pick<Cell, 'unanswered' | 'expired' | 'stale'>>(`
    select (select count(*)::int from message where awaits_turn) as unanswered,
      (select count(*)::int from message where origin = 'ai' and error_code = 'expired') as expired,
      (select count(*)::int from ai_turn where silence_code = 'stale') as stale`);
  const [counts] = found;
  if (!counts) throw new Error('The statement has not answered.');
  return counts;
}
