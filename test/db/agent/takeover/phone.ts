import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '../../../../db/engine/tx.ts';
import { handOver } from '../../../../db/agent/handover.ts';
import { applyNetworkEvent } from '../../network/apply-event.ts';
import { listOwnMessagesToAdopt } from '../../../../db/network/own-message.ts';
import { applyReports, report } from '../../network/backend-report.ts';
import { asOwnMessage } from '../../sending/simulated-network.ts';
import type { Hands, Script } from './actor.ts';
import { chatIdOf, listSamePerson, NOBODY_IN_PARTICULAR, rootOf } from './scene.ts';
import type { Scene } from './scene.ts';

/** Longer than an own message waits to be known. */
const HANGS_FOR_S = 15;

/** A person answers on the phone. The API may die with what it has stored, or with what it has parked. */
export function answersOnPhone(scene: Scene): Script {
  return async (hands) => {
    const { random } = scene;
    await hear(scene, hands, random() < 0.8 ? scene.conversationId : scene.other);
    if (random() < 0.3) return;
    await hands.transaction((tx) => applyReports(tx, scene.session));
    if (random() < 0.3) return;
    await sweep(scene)(hands);
  };
}

/** The backend's word of an own message that nobody knows is stored, and answered 2xx. */
async function hear(scene: Scene, hands: Hands, conversationId: string): Promise<void> {
  const { session, oracle, random } = scene;
  const networkId = `PHONE${randomUUID()}`;
  const source = random() < 0.5 ? 'app' : 'unknown';
  await hands.transaction(
    async (tx) => {
      const chatId = await chatIdOf(tx, await rootOf(tx, conversationId));
      await report(tx, session, { chatId, networkId, body: `from the phone ${networkId}`, source });
    },
    async () => {
      const heard = oracle.now();
      const conversations = await listSamePerson(scene, conversationId);
      oracle.phoneWords.push({ networkId, heard, conversations, adopted: null, takesOver: false });
    },
  );
}

/** A process that lives, and a send that hangs for longer than own messages wait. */
export function sweep(scene: Scene): Script {
  return async (hands) => {
    await hands.transaction((tx) => timePasses(tx));
    // Whoever should adopt is busy, or has died.
    for (let left = Math.floor(scene.random() * 4); left > 0; left -= 1) await hands.moment(() => undefined);
    if (scene.random() < 0.3) return;
    await hands.transaction(
      (tx) => adopt(tx, scene),
      () => noteAdopted(scene),
    );
  };
}

export async function timePasses(tx: Tx): Promise<void> {
  await sql`
    update parked_own_message set parked_at = parked_at - ${HANGS_FOR_S} * interval '1 second',
      retry_at = retry_at - ${HANGS_FOR_S} * interval '1 second'
    where (session_id, network_id) in (select session_id, network_id from parked_own_message order by 1, 2 for update)`.execute(
    tx.sql,
  );
}

export async function adopt(tx: Tx, { parts }: Scene): Promise<void> {
  for (const parked of await listOwnMessagesToAdopt(tx, 100)) await parts.adopt(tx, parked);
}

/** Notes the phone messages that are adopted by now, and the holders of their conversations then. */
export async function noteAdopted({ database, oracle }: Scene): Promise<void> {
  for (const word of oracle.phoneWords.filter(({ adopted }) => adopted === null)) {
    const { rows } = await database.read((queries) =>
      sql<{ isPersons: boolean; isOff: boolean }>`
        select c.mode = 'human_takeover' as "isPersons", tenant_silence(t) is not distinct from 'paused' as "isOff"
        from message m join conversation c on c.id = m.conversation_id
        join tenant t on t.agency_id = c.agency_id and t.id = c.tenant_id
        where m.network_id = ${word.networkId} and m.origin = 'phone'`.execute(queries.sql),
    );
    const [row] = rows;
    if (!row) continue;
    word.adopted = oracle.now();
    word.takesOver = row.isPersons;
    if (!row.isPersons && !row.isOff) oracle.faults.push(`${word.networkId} of the phone has taken nothing over`);
  }
}

/** The network shows a send of ours that nobody has answered yet, and the send goes on hanging. */
export async function echo(scene: Scene, hands: Hands, sent: { chatId: string; networkId: string; body: string }) {
  const { session, oracle, database } = scene;
  await hands.transaction((tx) => report(tx, session, { ...sent, source: 'api' }));
  await hands.transaction((tx) => applyReports(tx, session));
  await sweep(scene)(hands);
  await hands.moment(async () => {
    const { rows } = await database.read((queries) =>
      sql<object>`select 1 from message where network_id = ${sent.networkId} and origin = 'phone'`.execute(queries.sql),
    );
    if (rows.length > 0) oracle.faults.push(`the echo ${sent.networkId} was taken for a person`);
  });
}

/**
 * The contact turns up under a hidden id, where somebody takes the conversation over, and then under the hidden id and the
 * phone: both are one person, and what was taken over stays so.
 */
export function turnsUpHidden(scene: Scene): Script {
  return async (hands) => {
    const { session, conversationId, oracle, random } = scene;
    const lid = `9${String(Math.floor(random() * 1e14)).padStart(14, '0')}@lid`;
    const hidden = await hands.transaction(async (tx) => {
      await contactWrites(tx, []);
      const { rows } = await sql<{ id: string }>`
        select id from conversation where session_id = ${session.id} and chat_id = ${lid}`.execute(tx.sql);
      return rows[0]?.id;
    });
    if (hidden === undefined) throw new Error('Nobody is known by the hidden id.');
    scene.hidden.push(hidden);
    if (random() < 0.5) await hear(scene, hands, hidden);
    else await assigned(hidden);
    await hands.transaction(
      async (tx) => {
        await contactWrites(tx, [await chatIdOf(tx, await rootOf(tx, conversationId))]);
      },
      async () => void oracle.merges.push({ order: oracle.now(), conversations: [conversationId, hidden] }),
    );

    async function contactWrites(tx: Tx, aliases: string[]): Promise<void> {
      const networkId = `IN${randomUUID()}`;
      const sending = { messageId: '', kind: 'text', body: `Hello ${networkId}`, chatId: lid, networkId, at: tx.now };
      const message = { ...asOwnMessage(sending), fromMe: false, aliases };
      await applyNetworkEvent(tx, session, { kind: 'message', key: networkId, message });
    }

    async function assigned(id: string): Promise<void> {
      await hands.transaction(
        (tx) => handOver(tx, NOBODY_IN_PARTICULAR, id, { mode: 'human_takeover', cause: 'assign' }),
        async () => {
          const order = oracle.now();
          oracle.takeovers.push({
            of: 'conversation',
            by: 'assign under a hidden id',
            committed: order,
            answered: order,
            inFlight: [],
            conversations: [id],
          });
        },
      );
    }
  };
}
