import { setTimeout as pause } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { lockConversation } from '../../../../db/conversations/conversation.ts';
import type { Database } from '../../../../db/engine/database.ts';
import { endMessage, recordSent } from '../../../../db/sending/outcome.ts';
import { releaseHeads } from '../../../../db/sending/pace.ts';
import { promoteStuck } from '../../../../db/reconcile.ts';
import { applyReports } from '../../network/backend-report.ts';
import { seeded } from '../../seeded.ts';
import { Actor } from './actor.ts';
import { adopt, noteAdopted, timePasses } from './phone.ts';
import { aTakeoverScene, anAiMessage, beginTurn, conversationsOf, listAiMessages, REAL } from './scene.ts';
import type { Scene } from './scene.ts';
import { SCRIPTS } from './scripts.ts';
import type { Role } from './scripts.ts';

export interface Schedule {
  violations: string[];
  /** The roles that took part. */
  roles: Role[];
  sends: number;
  /** AI sends that a takeover's answer named. */
  named: number;
  /** Times that somebody wrote on the phone. */
  phoneWords: number;
}

const TAKEOVERS: Role[] = [
  'assignment',
  'assignment',
  "operator's takeover",
  "person's reply",
  'change of the tenant',
  'answer on the phone',
  'contact under a hidden id',
];
const OTHERS: Role[] = [
  'turn',
  'turn',
  'turn of two messages',
  'handoff of the agent',
  'worker',
  'worker',
  'assignment',
  'release',
  'release',
  'auto return',
  'change of the tenant',
  'answer on the phone',
  'answer on the phone',
  'sweep',
  'merge',
  'contact under a hidden id',
  'promotion',
  'releaser',
];
const FEWEST_OTHERS = 1;
const MORE_OTHERS = 4;
/** A worker's way from the queue to the record of a send. */
const MAX_STEPS_AHEAD = 14;
const STUCK_AFTER_MS = 8_000;
const LOOK_EVERY_MS = 2;
const MAX_ROUNDS = 20;

/**
 * One schedule: some of those who may have a hand in a conversation, each held at every statement, in an order that the
 * seed decides. Then what is left is worked off, and the oracle says what was broken.
 */
export async function runSchedule(
  database: Database,
  sessionId: string,
  seed: number,
  parts = REAL,
): Promise<Schedule> {
  const random = seeded(seed);
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  const scene = await aTakeoverScene(database, sessionId, {
    random,
    parts,
    waiting: random() < 0.1 ? 0 : 1 + Math.floor(random() * 2),
  });
  const others = Array.from({ length: FEWEST_OTHERS + Math.floor(random() * (MORE_OTHERS + 1)) }, () => pick(OTHERS));
  const roles: Role[] = ['worker', pick(TAKEOVERS) ?? 'assignment', ...others.filter((role) => role !== undefined)];
  const actors: Actor[] = [];
  for (const role of roles) actors.push(await Actor.begin(role, database, SCRIPTS[role](scene)));
  // Most takeovers come while something is on its way.
  const ahead = random() < 0.3 ? 0 : Math.floor(random() * MAX_STEPS_AHEAD);
  for (let steps = 0; steps < ahead; steps += 1) await actors[0]?.step();
  await interleave(actors, random);
  const { oracle } = scene;
  const named = new Set(oracle.takeovers.flatMap(({ inFlight }) => inFlight)).size;
  const sends = oracle.sends.length;
  const phoneWords = oracle.phoneWords.length;
  const waits = await workOff(scene);
  return { violations: [...oracle.violations(), ...waits], roles, sends, named, phoneWords };
}

async function interleave(actors: readonly Actor[], random: () => number): Promise<void> {
  // Sometimes everybody is interrupted all the time, sometimes hardly ever.
  const goesOn = random();
  let last: Actor | undefined;
  while (actors.some(({ over }) => !over)) {
    const able = actors.filter(({ over, blocked }) => !over && !blocked);
    if (able.length === 0) {
      await untilOneMoves(actors);
      continue;
    }
    const goes = last && able.includes(last) && random() < goesOn ? last : able[Math.floor(random() * able.length)];
    if (!goes) break;
    last = goes;
    const { stood } = goes;
    await goes.step();
    // Actors that waited for its locks may have them now.
    if (goes.over || goes.stood > stood)
      for (const waiting of actors) if (waiting.blocked && waiting !== goes) await waiting.step();
  }
}

/** All wait for each other: PostgreSQL ends one of them, which begins again. */
async function untilOneMoves(actors: readonly Actor[]): Promise<void> {
  // Only the pauses count: a busy machine takes longer for each look.
  for (let pausedMs = 0; pausedMs < STUCK_AFTER_MS; pausedMs += LOOK_EVERY_MS) {
    for (const actor of actors) if (actor.blocked) await actor.step();
    if (actors.some(({ blocked, over }) => !blocked && !over) || actors.every(({ over }) => over)) return;
    await pause(LOOK_EVERY_MS);
  }
  throw new Error('They wait for each other for ever.');
}

/** Everything goes on until nothing of the agent's waits; then the agent is on for the next schedule, and can speak. */
async function workOff(scene: Scene): Promise<string[]> {
  const { database, sessionId, random, oracle } = scene;
  await drain(scene);
  const waits = (await listAiMessages(scene, 'queued', false)).map((id) => `${id} waits for ever`);
  for (const { networkId } of oracle.phoneWords.filter(({ adopted }) => adopted === null))
    waits.push(`${networkId} of the phone is seen by nobody`);
  await change(
    scene,
    sql`update tenant set ai_mode = 'bot_active', ai_enabled = true, persona = null where ai_mode <> 'bot_active'
      or not ai_enabled or persona is not null`,
  );
  if (random() < 0.75) return waits;
  await change(
    scene,
    sql`update conversation set mode = 'bot_active' where id = any(${conversationsOf(scene)}::text[])`,
  );
  oracle.releases.push({ of: 'conversation', order: oracle.now() }, { of: 'tenant', order: oracle.now() });
  const [written] = await database.transaction(async (tx) => {
    const id = await lockConversation(tx, scene.conversationId);
    const ids = await anAiMessage(tx, sessionId, id, await beginTurn(tx, id), 1);
    oracle.wrote(ids, oracle.now());
    return ids;
  });
  await drain(scene);
  const spoke = oracle.claims.some(({ messageId }) => messageId === written);
  return spoke ? waits : [...waits, 'the agent could not speak after its release'];
}

async function drain(scene: Scene): Promise<void> {
  const { database, sessionId, session, random, oracle } = scene;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    // Lost calls and what is not the agent's stand in nobody's way.
    await change(
      scene,
      sql`update message set status = 'failed' where conversation_id = any(${conversationsOf(scene)}::text[])
        and (status = 'sending' or (status = 'queued' and origin <> 'ai'))`,
    );
    await database.transaction((tx) => applyReports(tx, session));
    await database.transaction((tx) => timePasses(tx));
    // Whoever should adopt may have died: what has waited for long is not talked over either.
    const adopts = round > 0 || random() < 0.5;
    if (adopts) {
      await database.transaction((tx) => adopt(tx, scene));
      await noteAdopted(scene);
    }
    if (adopts && (await listAiMessages(scene, 'queued', false)).length === 0) return;
    const [messageId] = await listAiMessages(scene, 'queued', true);
    if (messageId === undefined) {
      for (const id of conversationsOf(scene)) await database.transaction((tx) => promoteStuck(tx, id));
      // One that was sent back three times waits for the releaser, and after a pause.
      await change(
        scene,
        sql`update message set ready_at = created_at where conversation_id = any(${conversationsOf(scene)}::text[])
          and status = 'queued' and ready_at is not null`,
      );
      await database.transaction((tx) => releaseHeads(tx, sessionId));
      continue;
    }
    const token = randomUUID();
    const begun = oracle.now();
    await database.transaction(async (tx) => {
      const result = await scene.parts.claim(tx, messageId, { token, owner: '1', chosenNetworkId: null });
      if (result.claim === 'refused') {
        await lockConversation(tx, result.conversationId);
        await endMessage(tx, messageId, { status: result.status, reason: result.reason, detail: null });
      }
      if (result.claim !== 'claimed') return;
      const { conversationId } = result;
      const order = oracle.now();
      oracle.claims.push({ messageId, conversationId, begun, order, fenceHeld: true });
      oracle.sends.push({ messageId, order: oracle.now() });
      await recordSent(tx, { messageId, conversationId, token, networkId: `N${randomUUID()}` });
    });
  }
}

async function change({ database }: Scene, statement: ReturnType<typeof sql>): Promise<void> {
  await database.transaction((tx) => statement.execute(tx.sql));
}
