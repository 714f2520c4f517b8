import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { acceptSend } from '../../db/sending/accept.ts';
import type { NewSend } from '../../db/sending/accept.ts';
import { claimMessage, returnClaim } from '../../db/sending/claim.ts';
import { ensureConversation, lockConversation } from '../../db/conversations/conversation.ts';
import type { Database } from '../../db/engine/database.ts';
import type { Tx } from '../../db/engine/tx.ts';
import { endMessage, recordSent } from '../../db/sending/outcome.ts';
import { releaseHeads } from '../../db/sending/pace.ts';
import { resumeQueues } from '../../db/sending/promote.ts';
import { expireMessages, promoteStuck } from '../../db/reconcile.ts';
import { queueScheduled } from '../../db/sending/scheduled.ts';
import { handOver } from '../../db/agent/handover.ts';
import { insertTurn } from '../../db/agent/turn.ts';
import { changeMessage, cancelMessages, lockRequest } from '../../db/sending/waiting.ts';
import { rowsOf } from '../support/rows.ts';
import { SCOPE } from './a-database.ts';

/**
 * A conversation with two AI messages, behind them one of the other lane whose time is over, and one that was put off
 * and is due.
 */
export interface Scene {
  sessionId: string;
  conversationId: string;
  first: string;
  second: string;
  expired: string;
  due: string;
  /** The token of the first message's claim, if it has one. */
  token: string;
}

/** The state of the first message: at the head of its queue, or claimed; alone means that nothing follows. */
export type Beginning = 'waiting' | 'claimed' | 'waiting alone' | 'claimed alone';

let scenes = 0;

export async function aScene(database: Database, sessionId: string, first: Beginning): Promise<Scene> {
  scenes += 1;
  const chatId = `1555${2_000_000 + scenes}@c.us`;
  const token = randomUUID();
  const scene = await database.transaction(async (present) => {
    const tx = { ...present, now: new Date(present.now.getTime() - 10_000) };
    const { id } = await ensureConversation(tx, { ...SCOPE, sessionId }, { chatId });
    const accepted = {
      first: await accept(tx, sessionId, id, { origin: 'ai', ...(await aTurn(tx, id)) }, 'first'),
      second: await accept(tx, sessionId, id, { origin: 'ai', ...(await aTurn(tx, id)) }, 'second'),
      expired: await accept(tx, sessionId, id, { origin: 'api', expires: { afterMs: 1_000 } }, 'expired'),
      due: await accept(tx, sessionId, id, { origin: 'api', sendAt: new Date(tx.now.getTime() + 1_000) }, 'due'),
    };
    return { sessionId, conversationId: id, token, ...accepted };
  });
  if (first.endsWith('alone')) {
    await rowsOf(database, sql<object>`delete from message where id in (${scene.second}, ${scene.expired})`);
  }
  if (first.startsWith('claimed')) {
    await rowsOf(
      database,
      sql<object>`
        with claimed as (
          update message set status = 'sending', released_at = coalesce(released_at, now()), claim_token = ${token}, claimed_at = now(),
            attempts = 1
          where id = ${scene.first} returning id
        )
        insert into message_history (message_id, at, status) select id, now(), 'sending' from claimed`,
    );
  }
  return scene;
}

/** Makes the rows of a scene harmless for others. */
export async function leave(database: Database): Promise<void> {
  await rowsOf(
    database,
    sql<object>`
      with left_behind as (
        update message set status = 'failed' where status in ('queued', 'scheduled', 'sending')
      ), full_pace as (
        update session_pace set next_slot_at = 'epoch'
      )
      delete from dispatch`,
  );
}

async function aTurn(tx: Tx, conversationId: string): Promise<Pick<NewSend, 'fence'>> {
  const turnId = await insertTurn(tx, conversationId, {
    messageIds: ['msg_0'],
    messageId: 'msg_0',
    at: tx.now.toISOString(),
    receivedAt: tx.now.toISOString(),
  });
  return { fence: { conversationEpoch: 0, tenantEpoch: 0, turnId } };
}

async function accept(
  tx: Tx,
  sessionId: string,
  conversationId: string,
  send: Partial<NewSend> & Pick<NewSend, 'origin'>,
  body: string,
): Promise<string> {
  const accepted = await acceptSend(
    tx,
    { ...SCOPE, sessionId },
    { recipient: { conversationId }, parts: [{ kind: 'text', body }], expires: { afterMs: 3_600_000 }, ...send },
  );
  if (accepted.outcome !== 'accepted') throw new Error(`${body} was not accepted: ${accepted.outcome}.`);
  return accepted.messageId;
}

function claim(tx: Tx, messageId: string, token: string) {
  return claimMessage(tx, messageId, { token, owner: '1', chosenNetworkId: null });
}

async function cancel(tx: Tx, messageId: string): Promise<boolean> {
  const locked = await lockRequest(tx, { ...SCOPE, sessionId: null }, messageId);
  if (!locked?.waiting.includes(locked.message)) return false;
  await cancelMessages(tx, [locked.message], 'somebody');
  return true;
}

/** As the workflow does with what the claim has refused. */
async function end(tx: Tx, scene: Scene, status: 'failed' | 'uncertain'): Promise<boolean> {
  await lockConversation(tx, scene.conversationId);
  const reason = status === 'failed' ? 'backend_refused' : 'outcome_unknown';
  return endMessage(tx, scene.first, { status, reason, detail: null, token: scene.token });
}

/** The transactions that move a conversation's queue, each as its caller runs it. */
export const RIVALS = {
  accept: (tx: Tx, { sessionId, conversationId }: Scene) =>
    accept(tx, sessionId, conversationId, { origin: 'person' }, 'another'),
  claim: (tx: Tx, { first }: Scene) => claim(tx, first, randomUUID()).then((result) => result.claim === 'claimed'),
  sent: (tx: Tx, { first, conversationId, token }: Scene) =>
    recordSent(tx, { messageId: first, conversationId, token, networkId: `N${first}` }),
  uncertain: (tx: Tx, scene: Scene) => end(tx, scene, 'uncertain'),
  failed: (tx: Tx, scene: Scene) => end(tx, scene, 'failed'),
  giveBack: (tx: Tx, { first, conversationId, sessionId, token }: Scene) =>
    returnClaim(tx, { messageId: first, conversationId, sessionId }, token, 'certainly_not_sent'),
  cancel: (tx: Tx, { first }: Scene) => cancel(tx, first),
  cancelNext: (tx: Tx, { second }: Scene) => cancel(tx, second),
  putOff: async (tx: Tx, { second }: Scene) => {
    const locked = await lockRequest(tx, { ...SCOPE, sessionId: null }, second);
    if (!locked?.waiting.includes(locked.message) || locked.message.isReleased) return false;
    const sendAt = new Date(tx.now.getTime() + 60_000);
    await changeMessage(tx, locked.message, locked.waiting, { sendAt }, 'somebody');
    return true;
  },
  takeOver: (tx: Tx, { conversationId }: Scene) =>
    handOver(tx, { ...SCOPE, sessionId: null }, conversationId, { mode: 'human_takeover', cause: 'assign' }),
  expire: (tx: Tx, { conversationId }: Scene) => expireMessages(tx, conversationId),
  due: (tx: Tx) => queueScheduled(tx),
  release: (tx: Tx, { sessionId }: Scene) => releaseHeads(tx, sessionId),
  comeBack: (tx: Tx, { sessionId }: Scene) => resumeQueues(tx, sessionId),
  promote: (tx: Tx, { conversationId }: Scene) => promoteStuck(tx, conversationId),
} satisfies Record<string, (tx: Tx, scene: Scene) => Promise<unknown>>;
export type Rival = keyof typeof RIVALS;
