import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { acceptSend } from '../../db/accept.ts';
import { returnClaim } from '../../db/claim.ts';
import type { ClaimResult } from '../../db/claim.ts';
import { lockConversation } from '../../db/conversation.ts';
import type { Tx } from '../../db/database.ts';
import { handOver, returnToAgent, takeOverByPerson } from '../../db/handover.ts';
import { lockTurn } from '../../db/turn-end.ts';
import { endMessage, markLost, recordSent } from '../../db/outcome.ts';
import { adoptOwnMessages } from '../../db/own-message.ts';
import { releaseHeads } from '../../db/pace.ts';
import { promoteStuck } from '../../db/reconcile.ts';
import { adoptChatId } from '../../db/recipient.ts';
import { cancelAiQueue, listConversationsWithAiQueue } from '../../db/takeover.ts';
import { updateAgentState, updatePersona } from '../../db/tenant.ts';
import { SCOPE } from './a-database.ts';
import { asOwnMessage } from './simulated-network.ts';
import type { Hands, Script } from './takeover-actor.ts';
import {
  anAiMessage,
  beginTurn,
  chatIdOf,
  fenceHolds,
  isAgentsNoMore,
  listAiMessages,
  listNeverClaimed,
  listSamePerson,
  NOBODY_IN_PARTICULAR,
  rootOf,
} from './takeover-scene.ts';
import type { Scene } from './takeover-scene.ts';

/** Times that a takeover looks again for what is on its way before it answers what it sees. */
const MOST_LOOKS = 3;

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
    const ids = await hands.transaction((tx) => anAiMessage(tx, scene.sessionId, conversationId, turnId, parts));
    scene.oracle.wrote(ids, began);
  };
}

/** The agent gives the conversation to a person by itself, with last words that may still go out. */
function agentHandsOff(scene: Scene): Script {
  return async (hands) => {
    const { conversationId, oracle, sessionId } = scene;
    const turnId = await hands.transaction((tx) => beginTurn(tx, conversationId));
    const began = await hands.moment(() => oracle.now());
    const ids = await hands.transaction(async (tx) => {
      const id = await lockConversation(tx, conversationId);
      const isOvertaken = (await lockTurn(tx, turnId)) !== 'open';
      const to = { mode: 'human_takeover', cause: 'agent' } as const;
      const handed = isOvertaken ? null : await handOver(tx, NOBODY_IN_PARTICULAR, id, to);
      return handed ? anAiMessage(tx, sessionId, id, turnId, 1, handed.epoch) : [];
    });
    oracle.wrote(ids, began);
  };
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
  const result = await hands.transaction(
    (tx) => scene.parts.claim(tx, messageId, { token, owner: '1', chosenNetworkId: null }),
    (claimed) => note(scene, claimed),
  );
  if (result.claim === 'refused') {
    await hands.transaction(async (tx) => {
      await lockConversation(tx, result.conversationId);
      await endMessage(tx, messageId, { status: result.status, reason: result.reason, detail: null, byWorkflow: true });
    });
  }
  if (result.claim !== 'claimed') return;
  const { conversationId, sessionId } = result;
  // From the claim to the network it is a way: a file, the typing, the connection.
  for (let left = Math.floor(scene.random() * 4); left > 0; left -= 1) await hands.moment(() => undefined);
  const fate = scene.random();
  if (fate < 0.75) {
    await hands.moment(() => {
      scene.oracle.sends.push({ messageId, order: scene.oracle.now() });
    });
  }
  await hands.transaction(async (tx) => {
    if (fate < 0.65) await recordSent(tx, { messageId, conversationId, token, networkId: `N${randomUUID()}` });
    else if (fate < 0.75) await markLost(tx, messageId, token, 'broken_connection');
    else if (fate < 0.95) await returnClaim(tx, { messageId, conversationId, sessionId }, token, 'session_not_working');
    else {
      await lockConversation(tx, conversationId);
      await endMessage(tx, messageId, { status: 'failed', reason: 'backend_refused', detail: null, token });
    }
  });
}

async function note({ oracle, database }: Scene, claimed: ClaimResult): Promise<void> {
  if (claimed.claim !== 'claimed') return;
  const { messageId, conversationId } = claimed;
  const order = oracle.now();
  const fenceHeld = await database.read((queries) => fenceHolds(queries, messageId));
  oracle.claims.push({ messageId, conversationId, order, fenceHeld });
}

/** Somebody takes the conversation over, by the route or with a reply, and is answered what may still arrive. */
function takesOver(scene: Scene, by: 'assign' | 'reply'): Script {
  return async (hands) => {
    const { oracle, database, random, parts } = scene;
    const named = random() < 0.8 ? scene.conversationId : scene.other;
    let committed = 0;
    // As of the last look: whoever turns out to be the same person after it is none of the answer's business.
    let conversations: string[] = [];
    const taken = await hands.transaction(
      async (tx) => {
        const handed =
          by === 'assign'
            ? await handOver(tx, NOBODY_IN_PARTICULAR, named, { mode: 'human_takeover', cause: 'assign' })
            : await takeOverByPerson(tx, NOBODY_IN_PARTICULAR, named, { cause: 'reply' });
        if (by === 'reply') await personReplies(tx, scene, named);
        if (!handed) return null;
        const of = handed.conversationId;
        return { of, first: await parts.look(tx, NOBODY_IN_PARTICULAR, of) };
      },
      async (handed) => {
        committed = oracle.now();
        if (!handed) return;
        conversations = await listSamePerson(scene, handed.of);
        oracle.left.push(...(await database.read((queries) => listNeverClaimed(queries, handed.of))));
      },
    );
    // The conversation was a person's already: whoever took it has been told.
    if (!taken) return;
    const { of, first } = taken;
    const look = async () => {
      conversations = await listSamePerson(scene, of);
      return database.read((queries) => parts.look(queries, NOBODY_IN_PARTICULAR, of));
    };
    const inFlight = first.length === 0 ? [] : await lookAgain(scene, hands, look);
    await hands.moment(() => {
      oracle.takeovers.push({ of: 'conversation', by, committed, answered: oracle.now(), inFlight, conversations });
    });
  };
}

async function personReplies(tx: Tx, { sessionId }: Scene, conversationId: string) {
  await acceptSend(
    tx,
    { ...SCOPE, sessionId },
    {
      recipient: { conversationId },
      parts: [{ kind: 'text', body: 'from a person' }],
      origin: 'person',
      expires: { afterMs: 3_600_000 },
    },
  );
}

/** As `awaitAiInFlight`: until nothing is on its way, or no time is left. */
async function lookAgain(
  { random }: Scene,
  hands: Hands,
  look: () => Promise<{ messageId: string }[]>,
): Promise<string[]> {
  const most = 1 + Math.floor(random() * MOST_LOOKS);
  for (let looks = 1; ; looks += 1) {
    const inFlight = await hands.moment(look);
    if (inFlight.length === 0 || looks >= most) return inFlight.map(({ messageId }) => messageId);
  }
}

function release(scene: Scene): Script {
  return async (hands) => {
    await hands.transaction(
      (tx) => handOver(tx, NOBODY_IN_PARTICULAR, scene.conversationId, { mode: 'bot_active', cause: 'release' }),
      async () => void scene.oracle.releases.push({ of: 'conversation', order: scene.oracle.now() }),
    );
  };
}

/** The person has done nothing for hours. */
function autoReturn(scene: Scene): Script {
  return async (hands) => {
    const { conversationId, oracle } = scene;
    await hands.transaction((tx) =>
      sql`update conversation set return_at = ${tx.now} where id = ${conversationId} and mode = 'human_takeover'`.execute(
        tx.sql,
      ),
    );
    await hands.transaction(
      (tx) => returnToAgent(tx, conversationId),
      async (returned) => void (returned && oracle.releases.push({ of: 'conversation', order: oracle.now() })),
    );
  };
}

/** The whole tenant goes to a person, or its agent is switched off; perhaps it is back soon. */
function tenantChanges(scene: Scene): Script {
  return async (hands) => {
    const { oracle, database, random } = scene;
    const how = random();
    let committed = 0;
    await hands.transaction(
      async (tx) => {
        if (how < 0.4) await updateAgentState(tx, SCOPE, { mode: 'human_takeover' });
        else if (how < 0.7) await updateAgentState(tx, SCOPE, { enabled: false });
        else await updatePersona(tx, SCOPE, { active: false });
      },
      async () => {
        committed = oracle.now();
      },
    );
    const waiting = await hands.moment(() => database.read((queries) => listConversationsWithAiQueue(queries, SCOPE)));
    for (const id of waiting) await hands.transaction((tx) => cancelAiQueue(tx, id));
    const look = () => database.read((queries) => scene.parts.look(queries, NOBODY_IN_PARTICULAR, null));
    const inFlight = await lookAgain(scene, hands, look);
    await hands.moment(() => {
      const conversations = [scene.conversationId, scene.other];
      oracle.takeovers.push({ of: 'tenant', by: 'state', committed, answered: oracle.now(), inFlight, conversations });
    });
    if (random() < 0.5) return;
    await hands.transaction(
      async (tx) => {
        await updatePersona(tx, SCOPE, { active: true });
        await updateAgentState(tx, SCOPE, { mode: 'bot_active', enabled: true });
      },
      async () => void oracle.releases.push({ of: 'tenant', order: oracle.now() }),
    );
  };
}

/** A person answers on the phone: the message has waited long enough for a send of ours to be it. */
function answersOnPhone(scene: Scene): Script {
  return async (hands) => {
    const { sessionId, conversationId } = scene;
    const networkId = `PHONE${randomUUID()}`;
    await hands.transaction(async (tx) => {
      const chatId = await chatIdOf(tx, conversationId);
      const sending = { messageId: '', kind: 'text', body: 'from the phone', chatId, networkId, at: tx.now };
      await sql`
        insert into parked_own_message (session_id, network_id, conversation_id, message, parked_at)
        values (${sessionId}, ${networkId}, ${await rootOf(tx, conversationId)}, ${JSON.stringify(asOwnMessage(sending))}::jsonb,
          clock_timestamp() - interval '1 minute')`.execute(tx.sql);
    });
    await hands.transaction((tx) => adoptOwnMessages(tx, 10));
  };
}

/** The network turns out to know both as one person, whichever was asked for. */
function merge(scene: Scene): Script {
  return async (hands) => {
    const { conversationId, other, random } = scene;
    const [into, from] = random() < 0.5 ? [conversationId, other] : [other, conversationId];
    await hands.transaction(
      async (tx) => {
        await adoptChatId(tx, into, await chatIdOf(tx, from));
      },
      async () => {
        scene.oracle.merged ??= scene.oracle.now();
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
  "person's reply": (scene) => takesOver(scene, 'reply'),
  release,
  'auto return': autoReturn,
  'change of the tenant': tenantChanges,
  'answer on the phone': answersOnPhone,
  merge: merge,
  promotion: (scene) => (hands) => hands.transaction((tx) => promoteStuck(tx, scene.conversationId)),
  releaser: (scene) => async (hands) => void (await hands.transaction((tx) => releaseHeads(tx, scene.sessionId))),
} satisfies Record<string, (scene: Scene) => Script>;
export type Role = keyof typeof SCRIPTS;
