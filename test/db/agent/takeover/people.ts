import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { acceptSend } from '../../../../db/sending/accept.ts';
import type { Tx } from '../../../../db/engine/tx.ts';
import { handOver, takeOverByPerson } from '../../../../db/agent/handover.ts';
import { returnToAgent } from '../../../../db/agent/settle-owed.ts';
import { awaitAiInFlight, changeHandsOnce, stopTenantAi } from '../../../../db/agent/takeover.ts';
import type { InFlight, Looking } from '../../../../db/agent/takeover.ts';
import { updateAgentState, updatePersona } from '../../../../db/tenants/tenant.ts';
import { SCOPE } from '../../a-database.ts';
import { heldDatabase } from './actor.ts';
import type { Script } from './actor.ts';
import { listNeverClaimed, listSamePerson, NOBODY_IN_PARTICULAR } from './scene.ts';
import type { Scene } from './scene.ts';

/** Times that a takeover looks again for what is on its way before it answers what it sees. */
const MAX_LOOKS = 3;

/** Somebody takes the conversation over, by the route, with a reply, or in its workflow, and is answered what may still arrive. */
export function takesOver(scene: Scene, by: 'assign' | 'reply' | 'operator'): Script {
  return async (hands) => {
    const { oracle, database, random, parts, sessionId } = scene;
    const named = random() < 0.8 ? scene.conversationId : scene.other;
    const scope = { ...SCOPE, sessionId: random() < 0.5 ? null : sessionId };
    let committed = 0;
    // As of the last look: whoever turns out to be the same person after it is none of the answer's business.
    let conversations: string[] = [];
    const noteCommit = async (of: string) => {
      committed = oracle.now();
      conversations = await listSamePerson(scene, of);
      oracle.left.push(...(await database.read((queries) => listNeverClaimed(queries, of))));
    };
    const looking: Looking = {
      again: someLooks(random),
      look: async (queries, ...of) => {
        conversations = await listSamePerson(scene, named);
        return parts.look(queries, ...of);
      },
    };
    const inFlight = by === 'operator' ? await inWorkflow() : await byRoute();
    // The conversation was a person's already: whoever took it has been told.
    if (inFlight === null) return;
    await hands.moment(() => {
      const ids = inFlight.map(({ messageId }) => messageId);
      oracle.takeovers.push({
        of: 'conversation',
        by,
        committed,
        answered: oracle.now(),
        inFlight: ids,
        conversations,
      });
    });

    async function byRoute(): Promise<InFlight[] | null> {
      const taken = await hands.transaction(
        async (tx) => {
          const handed =
            by === 'assign'
              ? await handOver(tx, scope, named, { mode: 'human_takeover', cause: 'assign' })
              : await takeOverByPerson(tx, scope, named, { cause: 'reply' });
          if (by === 'reply') await personReplies(tx, scene, named);
          return handed && { of: handed.conversationId, first: await parts.look(tx, scope, handed.conversationId) };
        },
        async (done) => {
          if (done) await noteCommit(done.of);
        },
      );
      if (!taken || taken.first.length === 0) return taken && [];
      return awaitAiInFlight(heldDatabase(hands, database), scope, taken.of, looking);
    }

    async function inWorkflow(): Promise<InFlight[] | null> {
      const held = heldDatabase(hands, database, async () => noteCommit(named));
      const to = { mode: 'human_takeover', cause: 'assign', requestId: randomUUID() } as const;
      return (await changeHandsOnce(held, { ...scope, sessionId: null }, named, to, looking))?.inFlight ?? null;
    }
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

/** The time of a takeover, in looks. */
function someLooks(random: () => number): () => Promise<boolean> {
  let left = Math.floor(random() * MAX_LOOKS);
  return async () => {
    left -= 1;
    return left >= 0;
  };
}

export function release(scene: Scene): Script {
  return async (hands) => {
    await hands.transaction(
      (tx) => handOver(tx, NOBODY_IN_PARTICULAR, scene.conversationId, { mode: 'bot_active', cause: 'release' }),
      async () => void scene.oracle.releases.push({ of: 'conversation', order: scene.oracle.now() }),
    );
  };
}

/** The person has done nothing for hours. */
export function autoReturn(scene: Scene): Script {
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
export function tenantChanges(scene: Scene): Script {
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
    // Whoever changes it may have the key of another session.
    const scope = { ...SCOPE, sessionId: 'ses_of_another' };
    const looking = { look: scene.parts.look, again: someLooks(random) };
    const left = await stopTenantAi(heldDatabase(hands, database), scope, looking);
    const inFlight = left.map(({ messageId }) => messageId);
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
