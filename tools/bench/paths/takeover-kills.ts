import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { z } from 'zod';
import { anAgency } from '../agency.ts';
import { agentOn, arrivals, databaseOf, personWrites } from '../agent.ts';
import type { Arrival } from '../agent.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { change } from './takeover.ts';

/** The usual five seconds make fifty kills. */
const KILLS_PER_SECOND = 10;
const PEOPLE = 6;
/**
 * The longest time from the assignments to the kill. An answer that waits for sends under way takes two seconds, so
 * kills come before and after it.
 */
const LATEST_KILL_MS = 4_000;
const MAX_LEAD_MS = 500;
/** The backend takes a message at most this late, even when its caller is gone meanwhile. */
const SLOWEST_SEND_MS = 12_000;
const QUICKEST_SEND_MS = 1_500;
/**
 * At most this many of the agent's messages are with the backend when the conversations are assigned; the others come
 * later.
 */
const MAX_CLAIMED_FIRST = 3;
const CLAIMED_WITHIN_MS = 10_000;
const ASSIGNED_WITHIN_MS = 30_000;
const LATE_SENDS_MS = SLOWEST_SEND_MS + 1_000;
/**
 * These settings let uncertain messages settle after seconds instead of minutes, but not before the backend can have
 * taken them.
 */
const SETTLED_SOON = { SETTLE_ABSENT_AFTER_BREAK_MS: '15000', SETTLE_ABSENT_AFTER_ERROR_MS: '15000' };

const Assigned = z.object({ inFlight: z.array(z.object({ messageId: z.string() })) });

interface Answered {
  phone: string;
  conversationId: string;
  atMs: number;
  inFlight: string[];
}

/**
 * Kills the engine's process at a random moment around assignments, and starts it again. The answer to an assignment
 * must have named every message that the agent sends after it, before or after the restart.
 */
export async function takeoverKills(machine: Machine, seconds: number): Promise<Result[]> {
  const kills = Math.max(1, Math.round(KILLS_PER_SECOND * seconds));
  await machine.newSeries();
  let engine = await machine.startEngine('all', SETTLED_SOON);
  const database = databaseOf(machine);
  const answered: Answered[] = [];
  let underWay = 0;
  try {
    const session = await anAgency(engine.url, { dashboardUrl: 'http://127.0.0.1:9/', working: true });
    await agentOn(engine.url);
    for (let kill = 0; kill < kills; kill += 1) {
      const people = Array.from({ length: PEOPLE }, (_, index) => `1555${3_000_100 + kill * 10 + index}`);
      for (const phone of people) {
        const delayMs = QUICKEST_SEND_MS + Math.random() * (SLOWEST_SEND_MS - QUICKEST_SEND_MS);
        await machine.sandbox('POST', '/faults', { route: 'sendText', kind: 'slow', delayMs, session: session.name });
        await personWrites(machine, session.name, phone, `Question of ${phone}`);
      }
      await untilClaimed(database, people, 1 + Math.floor(Math.random() * MAX_CLAIMED_FIRST));
      await pause(Math.random() * MAX_LEAD_MS);
      const assigning = people.map((phone) => assign(engine.url, database, phone));
      await pause(Math.random() * LATEST_KILL_MS);
      await engine.kill();
      if ((await countClaimed(database, people)) > 0) underWay += 1;
      const first = await Promise.all(assigning);
      engine = await machine.startEngine('all', SETTLED_SOON);
      // Assignments without an answer are made again.
      const { url } = engine;
      const again = people.filter((phone) => !first.some((one) => one?.phone === phone));
      const second = await Promise.all(again.map((phone) => untilAssigned(url, database, phone)));
      answered.push(...first.filter((one) => one !== null), ...second);
      await machine.sandbox('DELETE', '/faults');
    }
    await pause(LATE_SENDS_MS);
    return [
      judge(answered, await arrivals(machine, session.name), await listAiMessages(database), { kills, underWay }),
    ];
  } finally {
    await database.end();
    await engine.stop();
  }
}

/** Waits until `wanted` sends of the agent are on their way, or until it takes too long. */
async function untilClaimed(database: Pool, phones: readonly string[], wanted: number): Promise<void> {
  const until = performance.now() + CLAIMED_WITHIN_MS;
  while ((await countClaimed(database, phones)) < wanted && performance.now() < until) await pause(20);
}

async function countClaimed(database: Pool, phones: readonly string[]): Promise<number> {
  const { rows } = await database.query<{ n: number }>(
    `select count(*)::int as n from message m join conversation c on c.id = m.conversation_id
     where m.origin = 'ai' and m.status = 'sending' and c.chat_id = any($1::text[])`,
    [phones.map((phone) => `${phone}@c.us`)],
  );
  return rows[0]?.n ?? 0;
}

/** Assigns a conversation; returns null without a good answer, because nothing was promised then. */
async function assign(url: string, database: Pool, phone: string): Promise<Answered | null> {
  const { rows } = await database.query<{ id: string }>('select id from conversation where chat_id = $1', [
    `${phone}@c.us`,
  ]);
  const conversationId = rows[0]?.id;
  if (conversationId === undefined) return null;
  const { path, headers, body } = change(conversationId, 'assign');
  try {
    const answer = await fetch(url + path, { method: 'POST', headers, body });
    if (!answer.ok) return null;
    const inFlight = Assigned.parse(await answer.json()).inFlight.map(({ messageId }) => messageId);
    return { phone, conversationId, atMs: performance.timeOrigin + performance.now(), inFlight };
  } catch {
    return null;
  }
}

async function untilAssigned(url: string, database: Pool, phone: string): Promise<Answered> {
  const until = performance.now() + ASSIGNED_WITHIN_MS;
  for (;;) {
    const answered = await assign(url, database, phone);
    if (answered) return answered;
    if (performance.now() > until) throw new Error('A conversation could not be assigned after the engine was back.');
    await pause(100);
  }
}

interface AiMessage {
  id: string;
  conversationId: string;
  body: string;
}

async function listAiMessages(database: Pool): Promise<AiMessage[]> {
  const { rows } = await database.query<AiMessage>(
    `select id, conversation_id as "conversationId", body from message where origin = 'ai'`,
  );
  return rows;
}

function judge(
  answered: readonly Answered[],
  sends: readonly Arrival[],
  messages: readonly AiMessage[],
  { kills, underWay }: { kills: number; underWay: number },
): Result {
  const after = answered.flatMap(({ phone, conversationId, atMs, inFlight }) =>
    sends
      .filter((send) => send.chatId === `${phone}@c.us` && Math.max(send.atMs, send.reachedMs) > atMs)
      .map(({ body }) => {
        const ids = messages.filter((one) => one.conversationId === conversationId && one.body === body);
        return { phone, isNamed: ids.some(({ id }) => inFlight.includes(id)) };
      }),
  );
  const unnamed = after.filter(({ isNamed }) => !isNamed);
  for (const { phone } of unnamed) console.log(`  ✗ a message of the agent to ${phone} was not named`);
  if (unnamed.length > 0) process.exitCode = 1;
  return {
    path: `takeover: ${kills} kills of the engine (${underWay} amid sends) around ${answered.length} assignments, AI sends not named`,
    measured: `${unnamed.length} (${sends.length} sends, ${after.length - unnamed.length} named after the answer)`,
    baseline: '',
    ratio: null,
    aim: '0',
    met: unnamed.length === 0,
  };
}
