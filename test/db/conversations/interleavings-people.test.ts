import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { acceptSend } from '../../../db/sending/accept.ts';
import type { NewSend } from '../../../db/sending/accept.ts';
import { claimMessage } from '../../../db/sending/claim.ts';
import type { Tx } from '../../../db/engine/tx.ts';
import { handOver } from '../../../db/agent/handover.ts';
import { applyNetworkEvent } from '../network/apply-event.ts';
import { recordSent } from '../../../db/sending/outcome.ts';
import { promoteStuck } from '../../../db/reconcile.ts';
import { adoptChatId } from '../../../db/conversations/contact.ts';
import { findSessionById, insertSession } from '../../../db/sessions/session.ts';
import type { Session } from '../../../db/sessions/session.ts';
import type { NetworkMessage } from '../../../domain/network/network-event.ts';
import { findRows, rowsOf } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { anAgent } from '../agent/a-turn.ts';
import { listTold, queueFaultsOf } from '../../activities/webhooks/delivery-truth.ts';
import { inEveryOrder } from '../interleave.ts';
import { leave } from '../rivals.ts';
import { withBoundaries } from '../sending/boundaries.ts';
import { stepped } from '../sending/stepped.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { someOf } from '../../support/depth.ts';

/** A phone that we wrote to, and a hidden id that has answered, which nobody knows to be one person's. */
interface Scene {
  phone: string;
  hidden: string;
  /** The conversation under the phone, with a message that is about to go; and the one under the hidden id. */
  a: string;
  b: string;
  offer: string;
  serial: number;
}

const { database, sessionId } = await databaseOfThisFile();
await withBoundaries(database);
const agent = anAgent(database, sessionId);

describe('two conversations that turn out to be one, while both are moved', () => {
  let session: Session;
  let otherSession: Session;
  let scenes = 0;

  beforeAll(async () => {
    session = await theSession(sessionId);
    const otherId = await database.transaction((tx) => insertSession(tx, SCOPE, { name: 'other' }));
    otherSession = await theSession(otherId ?? '');
  });
  afterEach(() => leave(database));

  async function theSession(id: string): Promise<Session> {
    const found = await database.read((queries) => findSessionById(queries, id));
    if (!found) throw new Error('The session is not there.');
    return found;
  }

  async function accept(tx: Tx, recipient: NewSend['recipient'], body: string) {
    const send = { recipient, parts: [{ kind: 'text' as const, body }], origin: 'api' as const };
    const accepted = await acceptSend(
      tx,
      { ...SCOPE, sessionId: session.id },
      { ...send, expires: { afterMs: 60_000 } },
    );
    if (accepted.outcome !== 'accepted') throw new Error(`It was not accepted: ${accepted.outcome}.`);
    return accepted;
  }

  async function aScene(): Promise<Scene> {
    scenes += 1;
    const phone = agent.person();
    const hidden = phone.replace('@c.us', '@lid');
    const offer = await database.transaction((tx) => accept(tx, { chatId: phone }, 'offer'));
    const b = await agent.write(hidden, 'Is it still there?');
    return { phone, hidden, a: offer.conversationId, b, offer: offer.messageId, serial: scenes };
  }

  function hear(tx: Tx, networkId: string, chatId: string, over: Partial<NetworkMessage> = {}, by = session) {
    const message = aNetworkMessage({
      networkId,
      chatId,
      body: networkId,
      timestamp: Math.floor(tx.now.getTime() / 1_000),
      ...over,
    });
    return applyNetworkEvent(tx, by, { kind: 'message', key: networkId, message });
  }
  const takeOver = (tx: Tx, id: string) =>
    handOver(tx, { ...SCOPE, sessionId: null }, id, { mode: 'human_takeover', cause: 'assign' });

  const RIVALS = {
    bothTold: (tx: Tx, { serial, phone, hidden }: Scene) => hear(tx, `both${serial}`, hidden, { aliases: [phone] }),
    bothToldOtherwise: (tx: Tx, { serial, phone, hidden }: Scene) =>
      hear(tx, `otherwise${serial}`, phone, { aliases: [hidden] }),
    hiddenAlone: (tx: Tx, { serial, hidden }: Scene) => hear(tx, `hidden${serial}`, hidden),
    /** The first message that another account of the tenant has of them. */
    elsewhere: (tx: Tx, { serial, hidden, phone }: Scene) =>
      hear(tx, `elsewhere${serial}`, serial % 2 === 0 ? hidden : phone, { pushName: 'Ada' }, otherSession),
    phoneAlone: (tx: Tx, { serial, phone }: Scene) => hear(tx, `phone${serial}`, phone),
    /** The batch has locked another conversation, and this one, before. */
    batch: async (tx: Tx, { serial, phone, hidden }: Scene) => {
      await hear(tx, `first${serial}`, phone);
      await hear(tx, `other${serial}`, `777${serial}@c.us`);
      await hear(tx, `then${serial}`, hidden, { aliases: [phone] });
    },
    ownMessage: (tx: Tx, { serial, hidden }: Scene) => hear(tx, `own${serial}`, hidden, { fromMe: true, ack: 1 }),
    numberChecked: (tx: Tx, { a, hidden }: Scene) => adoptChatId(tx, a, hidden),
    acceptedThere: (tx: Tx, { a }: Scene) => accept(tx, { conversationId: a }, 'by id'),
    acceptedHere: (tx: Tx, { b }: Scene) => accept(tx, { conversationId: b }, 'by the other id'),
    acceptedByPhone: (tx: Tx, { phone }: Scene) => accept(tx, { chatId: phone }, 'by phone'),
    takenOverThere: (tx: Tx, { a }: Scene) => takeOver(tx, a),
    takenOverHere: (tx: Tx, { b }: Scene) => takeOver(tx, b),
    claimed: (tx: Tx, { offer }: Scene) =>
      claimMessage(tx, offer, { token: randomUUID(), owner: '1', chosenNetworkId: null }),
    sent: async (tx: Tx, { offer, a, serial }: Scene) => {
      const token = randomUUID();
      const claim = await claimMessage(tx, offer, { token, owner: '1', chosenNetworkId: null });
      if (claim.claim !== 'claimed') return;
      await recordSent(tx, { messageId: offer, conversationId: a, token, networkId: `S${serial}` });
    },
    promoted: (tx: Tx, { a }: Scene) => promoteStuck(tx, a),
  } satisfies Record<string, (tx: Tx, scene: Scene) => Promise<unknown>>;
  type Rival = keyof typeof RIVALS;

  const MERGES: Rival[] = ['bothTold', 'batch'];
  const OTHERS: Rival[] = [
    'bothToldOtherwise',
    'hiddenAlone',
    'elsewhere',
    'phoneAlone',
    'ownMessage',
    'numberChecked',
    'acceptedThere',
    'acceptedHere',
    'acceptedByPhone',
    'takenOverThere',
    'takenOverHere',
    'claimed',
    'sent',
    'promoted',
  ];
  const RACES: Rival[][] = [
    ...MERGES.flatMap((merge) => OTHERS.map((other) => [merge, other])),
    ['bothTold', 'batch'],
    ['bothTold', 'takenOverHere', 'acceptedByPhone'],
    ['bothTold', 'takenOverThere', 'claimed'],
    ['bothTold', 'bothToldOtherwise', 'takenOverHere'],
  ];

  it.each(someOf(RACES, 8).map((rivals) => [rivals.join(' and '), rivals] as const))(
    '%s: one conversation, of one person, with everything in it',
    async (_names, rivals) => {
      await inEveryOrder(1, async () => {
        const scene = await aScene();
        const transactions = rivals.map((rival) => stepped<unknown>(database, (tx) => RIVALS[rival](tx, scene)));
        return {
          transactions,
          async check(order) {
            await Promise.all(transactions.map(({ result }) => result));
            expect({ order, ...(await whatIsWrong(scene, rivals)) }).toEqual({ order, ...NOTHING_WRONG });
            await leave(database);
          },
        };
      });
    },
  );

  const NOTHING_WRONG = { live: 1, people: 1, outside: [], isHeld: true, faults: [], merges: 1, movedTwice: 0 };

  async function whatIsWrong({ phone, hidden, a, b }: Scene, rivals: readonly Rival[]) {
    const live = await findRows(database, 'conversation', { id: [a, b], mergedInto: null }, ['id', 'mode']);
    const id = live[0]?.id ?? '';
    const people = await rowsOf(
      database,
      sql<object>`select distinct l.contact_id from contact_alias l where l.chat_id in (${phone}, ${hidden})
        union select contact_id from conversation where id = ${id}
        union select contact_id from conversation where chat_id in (${phone}, ${hidden}) and merged_into is null
        union select contact_id from message where conversation_id = ${id}`,
    );
    const outside = await rowsOf(
      database,
      sql<object>`
        select 'message' as kind, id from message where conversation_id in (${a}, ${b}) and conversation_id <> ${id}
        union all select 'parked', network_id from parked_own_message
          where conversation_id in (${a}, ${b}) and conversation_id <> ${id}
        union all select 'turn', id from ai_turn where conversation_id in (${a}, ${b}) and conversation_id <> ${id}
        union all select 'conversation', c.id from conversation c join contact_alias l on l.contact_id = c.contact_id
          where l.chat_id in (${phone}, ${hidden}) and c.id <> ${id} and c.session_id = ${session.id}`,
    );
    const told = await listTold(database, [id]);
    const isTaken = rivals.includes('takenOverHere') || rivals.includes('takenOverThere');
    const [ledger] = await rowsOf(
      database,
      sql<{ merges: number; movedTwice: number }>`
        with moved as (
          select unnest(ids) as id from merge_move where kind = 'message' and into_id = ${id}
        )
        select (select count(*) from merge_move where kind = 'conversation' and into_id = ${id})::int as merges,
          (select count(*) - count(distinct id) from moved)::int as "movedTwice"`,
    );
    return {
      live: live.length,
      people: people.length,
      outside,
      isHeld: !isTaken || live[0]?.mode === 'human_takeover',
      // Messages under way in both continue there.
      faults: queueFaultsOf(told, { isPaced: false }).filter((fault) => !fault.includes('on their way')),
      ...ledger,
    };
  }
});
