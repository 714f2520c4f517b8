import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { returnClaim } from '../../../../db/sending/claim.ts';
import type { Claimed, ClaimResult } from '../../../../db/sending/claim.ts';
import { ensureConversation, lockConversation } from '../../../../db/conversations/conversation.ts';
import { findTurnAtWork } from '../../../../db/agent/turn.ts';
import { concludeTurn } from '../../../../activities/agent/conclude-turn.ts';
import type { Conclusion } from '../../../../activities/agent/conclude-turn.ts';
import { endMessage, markLost, recordSent } from '../../../../db/sending/outcome.ts';
import { releaseHeads } from '../../../../db/sending/pace.ts';
import { promoteStuck } from '../../../../db/reconcile.ts';
import { adoptChatId } from '../../../../db/conversations/contact.ts';
import { SCOPE } from '../../a-database.ts';
import type { Hands, Script } from './actor.ts';
import { anAiMessage, beginTurn, chatIdOf, fenceHolds, isAgentsNoMore, listAiMessages } from './scene.ts';
import type { Scene } from './scene.ts';
import { answersOnPhone, echo, sweep, turnsUpHidden } from './phone.ts';
import { autoReturn, release, takesOver, tenantChanges } from './people.ts';

/** A turn of the agent, from its epochs to its reply in the queue. */
function turn(scene: Scene, parts: number): Script {
  return async (hands) => {
    const conversationId = scene.random() < 0.8 ? scene.conversationId : scene.other;
    let began = 0;
    const turnId = await hands.transaction(async (tx) => {
      const id = await lockConversation(tx, conversationId);
      return (await isAgentsNoMore(tx, id)) ? null : beginTurn(tx, id);
    });
    await hands.moment(() => {
      began = scene.oracle.now();
    });
    if (turnId === null) return;
    // Half of them as the engine does; the fence holds also for a reply that nobody has looked at any more.
    const said = Array.from({ length: parts }, () => `from the agent ${randomUUID()}`);
    const ids =
      scene.random() < 0.5
        ? await concluded(hands, turnId, { outcome: 'reply', parts: said, notes: [] })
        : await hands.transaction((tx) => anAiMessage(tx, scene.sessionId, conversationId, turnId, parts));
    scene.oracle.wrote(ids, began);
  };
}

/** The agent gives the conversation to a person by itself, with last words that may still go out. */
function agentHandsOff(scene: Scene): Script {
  return async (hands) => {
    const { conversationId, oracle } = scene;
    const turnId = await hands.transaction((tx) => beginTurn(tx, conversationId));
    const began = await hands.moment(() => oracle.now());
    const parts = [`from the agent ${randomUUID()}`];
    oracle.wrote(
      await concluded(hands, turnId, { outcome: 'handoff', cause: 'agent', reason: 'asked', parts, notes: [] }),
      began,
    );
  };
}

/** As `askModel` ends the turn; the messages that it has become. */
function concluded(hands: Hands, turnId: string, conclusion: Conclusion): Promise<string[]> {
  return hands.transaction(async (tx) => {
    const turn = await findTurnAtWork(tx, turnId);
    if (turn) await concludeTurn(tx, turn, conclusion, null);
    const { rows } = await sql<{ id: string }>`
      select id from message where turn_id = ${turnId} and direction = 'out'`.execute(tx.sql);
    return rows.map(({ id }) => id);
  });
}

/** A worker that delivers what is let go, message by message, as `send` does. */
function worker(scene: Scene, messages: number): Script {
  return async (hands) => {
    for (let done = 0; done < messages; done += 1) {
      const messageId = await hands.moment(async () => (await listAiMessages(scene, 'queued', true))[0]);
      if (messageId !== undefined) await deliver(scene, hands, messageId);
    }
  };
}

async function deliver(scene: Scene, hands: Hands, messageId: string): Promise<void> {
  const token = randomUUID();
  const networkId = `N${randomUUID()}`;
  const chosenNetworkId = scene.random() < 0.5 ? networkId : null;
  let begun = 0;
  const result = await hands.transaction(
    (tx) => {
      begun = scene.oracle.now();
      return scene.parts.claim(tx, messageId, { token, owner: '1', chosenNetworkId });
    },
    (claimed) => note(scene, claimed, begun),
  );
  // As `send` does.
  if (result.claim === 'soon') await sweep(scene)(hands);
  if (result.claim === 'refused') {
    await hands.transaction(async (tx) => {
      await lockConversation(tx, result.conversationId);
      await endMessage(tx, messageId, { status: result.status, reason: result.reason, detail: null, byWorkflow: true });
    });
  }
  if (result.claim !== 'claimed') return;
  const { conversationId, sessionId, chatId, text: body } = result;
  // From the claim to the network it is a way: a file, the typing, the connection.
  for (let left = Math.floor(scene.random() * 4); left > 0; left -= 1) await hands.moment(() => undefined);
  const fate = scene.random();
  if (fate < 0.75) {
    await hands.moment(() => {
      scene.oracle.sends.push({ messageId, order: scene.oracle.now() });
    });
    if (scene.random() < 0.3) await echo(scene, hands, { chatId, networkId: claimedAs(result, networkId), body });
  }
  await hands.transaction(async (tx) => {
    if (fate < 0.65)
      await recordSent(tx, { messageId, conversationId, token, networkId: claimedAs(result, networkId) });
    else if (fate < 0.75) await markLost(tx, messageId, token, 'broken_connection');
    else if (fate < 0.95) await returnClaim(tx, { messageId, conversationId, sessionId }, token, 'session_not_working');
    else {
      await lockConversation(tx, conversationId);
      await endMessage(tx, messageId, { status: 'failed', reason: 'backend_refused', detail: null, token });
    }
  });
}

/** The id that the network knows it by: one that was chosen for an earlier attempt stays. */
function claimedAs({ networkId }: Claimed, own: string): string {
  return networkId ?? own;
}

async function note({ oracle, database }: Scene, claimed: ClaimResult, begun: number): Promise<void> {
  if (claimed.claim !== 'claimed') return;
  const { messageId, conversationId } = claimed;
  const order = oracle.now();
  const fenceHeld = await database.read((queries) => fenceHolds(queries, messageId));
  oracle.claims.push({ messageId, conversationId, begun, order, fenceHeld });
}

/** Both turn out to be one person: a message bears the addresses of both, or the check of one's number names the other's. */
function merge(scene: Scene): Script {
  return async (hands) => {
    const { conversationId, other, random, sessionId } = scene;
    const isTold = random() < 0.5;
    const [into, from] = random() < 0.5 ? [conversationId, other] : [other, conversationId];
    await hands.transaction(
      async (tx) => {
        const chatId = await chatIdOf(tx, from);
        if (isTold)
          await ensureConversation(
            tx,
            { ...SCOPE, sessionId },
            { chatId: await chatIdOf(tx, into), aliases: [chatId] },
          );
        else await adoptChatId(tx, into, chatId);
      },
      async () => {
        scene.oracle.merges.push({ order: scene.oracle.now(), conversations: [conversationId, other] });
      },
    );
  };
}

/** Everybody who may have a hand in a conversation while it is taken over. */
export const SCRIPTS = {
  turn: (scene) => turn(scene, 1),
  'turn of two messages': (scene) => turn(scene, 2),
  'handoff of the agent': agentHandsOff,
  worker: (scene) => worker(scene, 2),
  assignment: (scene) => takesOver(scene, 'assign'),
  "operator's takeover": (scene) => takesOver(scene, 'operator'),
  "person's reply": (scene) => takesOver(scene, 'reply'),
  release,
  'auto return': autoReturn,
  'change of the tenant': tenantChanges,
  'answer on the phone': answersOnPhone,
  sweep,
  'contact under a hidden id': turnsUpHidden,
  merge: merge,
  promotion: (scene) => (hands) => hands.transaction((tx) => promoteStuck(tx, scene.conversationId)),
  releaser: (scene) => async (hands) => void (await hands.transaction((tx) => releaseHeads(tx, scene.sessionId))),
} satisfies Record<string, (scene: Scene) => Script>;
export type Role = keyof typeof SCRIPTS;
