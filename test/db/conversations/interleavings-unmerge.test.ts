import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { handOver } from '../../../db/agent/handover.ts';
import { listAiInFlight } from '../../../db/agent/takeover.ts';
import { unmergeContact } from '../../../db/network/unmerge/unmerge.ts';
import { promoteStuck } from '../../../db/reconcile.ts';
import { acceptSend } from '../../../db/sending/accept.ts';
import type { NewSend } from '../../../db/sending/accept.ts';
import { claimMessage } from '../../../db/sending/claim.ts';
import { recordSent } from '../../../db/sending/outcome.ts';
import type { Tx } from '../../../db/engine/tx.ts';
import { findRows, rowsOf } from '../../support/rows.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { queueFaultsOf, listTold } from '../../activities/webhooks/delivery-truth.ts';
import { anAgent } from '../agent/a-turn.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { inEveryOrder } from '../interleave.ts';
import { applyNetworkEvent } from '../network/apply-event.ts';
import { leave } from '../rivals.ts';
import { withBoundaries } from '../sending/boundaries.ts';
import { stepped } from '../sending/stepped.ts';
import { aPerson } from './a-person.ts';
import { someOf } from '../../support/depth.ts';

/** Two contacts that were merged, and the agent's answer to one of them, which waits. */
interface Scene {
  phone: string;
  hidden: string;
  a: string;
  b: string;
  into: string;
  from: string;
  answer: string;
  serial: number;
}

const { database, sessionId, session } = await databaseOfThisFile();
await withBoundaries(database);
const agent = anAgent(database, sessionId);
const { contactOf, named, send } = aPerson(database, sessionId);
const scope = { ...SCOPE, sessionId: null };

describe('a merge that is undone while both people are talked to', () => {
  let scenes = 0;

  afterEach(() => leave(database));

  async function aScene(): Promise<Scene> {
    scenes += 1;
    const phone = agent.person();
    const hidden = phone.replace('@c.us', '@lid');
    const { conversationId: a } = await send(phone, 'Our offer');
    const b = await agent.write(hidden, 'Is it still there?');
    agent.script({ outcome: 'reply', text: 'It is.' });
    await agent.settle(b);
    const [answer] = await findRows(database, 'message', { conversationId: b, origin: 'ai' }, ['id']);
    const [into, from] = [await contactOf(phone), await contactOf(hidden)];
    await database.transaction((tx) => named(tx, hidden, phone));
    return { phone, hidden, a, b, into, from, answer: answer?.id ?? '', serial: scenes };
  }

  async function accept(tx: Tx, recipient: NewSend['recipient'], body: string) {
    const accepted = await acceptSend(
      tx,
      { ...SCOPE, sessionId },
      { recipient, parts: [{ kind: 'text', body }], origin: 'api', expires: { afterMs: 60_000 } },
    );
    if (accepted.outcome !== 'accepted') throw new Error(`It was not accepted: ${accepted.outcome}.`);
  }

  function hear(tx: Tx, chatId: string, { serial }: Scene, aliases: string[] = []) {
    const networkId = `HEARD${serial}${aliases.length}`;
    const timestamp = Math.floor(tx.now.getTime() / 1_000);
    const message = aNetworkMessage({ networkId, chatId, body: chatId, timestamp, aliases });
    return applyNetworkEvent(tx, session, { kind: 'message', key: networkId, message });
  }

  const claim = (tx: Tx, messageId: string, token: string) =>
    claimMessage(tx, messageId, { token, owner: '1', chosenNetworkId: null });
  const takeOver = (tx: Tx, id: string) => handOver(tx, scope, id, { mode: 'human_takeover', cause: 'assign' });

  const RIVALS = {
    unmerged: (tx: Tx, { from }: Scene) => unmergeContact(tx, SCOPE.agencyId, from),
    unmergedToo: (tx: Tx, { into }: Scene) => unmergeContact(tx, SCOPE.agencyId, into),
    heardHidden: (tx: Tx, scene: Scene) => hear(tx, scene.hidden, scene),
    heardPhone: (tx: Tx, scene: Scene) => hear(tx, scene.phone, scene),
    heardBoth: (tx: Tx, scene: Scene) => hear(tx, scene.hidden, scene, [scene.phone]),
    acceptedHere: (tx: Tx, { b }: Scene) => accept(tx, { conversationId: b }, 'by the id that was merged'),
    acceptedByHidden: (tx: Tx, { hidden }: Scene) => accept(tx, { chatId: hidden }, 'by the hidden id'),
    takenOverHere: (tx: Tx, { b }: Scene) => takeOver(tx, b),
    takenOverThere: (tx: Tx, { a }: Scene) => takeOver(tx, a),
    claimed: (tx: Tx, { answer }: Scene) => claim(tx, answer, randomUUID()),
    sent: async (tx: Tx, { answer, a }: Scene) => {
      const token = randomUUID();
      if ((await claim(tx, answer, token)).claim !== 'claimed') return;
      await recordSent(tx, { messageId: answer, conversationId: a, token, networkId: `S${answer}` });
    },
    promoted: (tx: Tx, { a }: Scene) => promoteStuck(tx, a),
  } satisfies Record<string, (tx: Tx, scene: Scene) => Promise<unknown>>;
  type Rival = keyof typeof RIVALS;

  const OTHERS: Rival[] = [
    'unmergedToo',
    'heardHidden',
    'heardPhone',
    'heardBoth',
    'acceptedHere',
    'acceptedByHidden',
    'takenOverHere',
    'takenOverThere',
    'claimed',
    'sent',
    'promoted',
  ];
  const RACES: Rival[][] = [
    ...OTHERS.map((other): Rival[] => ['unmerged', other]),
    ['unmerged', 'takenOverHere', 'claimed'],
    ['unmerged', 'takenOverThere', 'claimed'],
  ];

  it.each(someOf(RACES, 8).map((rivals) => [rivals.join(' and '), rivals] as const))(
    '%s: two people, each with what is theirs, and nobody is talked over',
    async (_names, rivals) => {
      await inEveryOrder(1, async () => {
        const scene = await aScene();
        const transactions = rivals.map((rival) => stepped<unknown>(database, (tx) => RIVALS[rival](tx, scene)));
        // A takeover looks for what was claimed before it, in a new statement after its end.
        const looks = rivals.flatMap((rival, place) =>
          rival.startsWith('takenOver') ? (transactions[place]?.result.then(() => inFlight(scene)) ?? []) : [],
        );
        return {
          transactions,
          async check(order) {
            const results = await Promise.all(transactions.map(({ result }) => result));
            const shown = (await Promise.all(looks)).flat();
            const parted = results.filter((result) => isParted(result)).length;
            expect({ order, parted, ...(await whatIsWrong(scene, rivals, shown)) }).toEqual({
              order,
              parted: 1,
              alive: 2,
              strangers: [],
              astray: [],
              isHeld: true,
              isTalkedOver: false,
              faults: [],
            });
            await leave(database);
          },
        };
      });
    },
  );

  const isParted = (result: unknown) =>
    typeof result === 'object' && result !== null && Reflect.get(result, 'outcome') === 'parted';

  async function inFlight({ a, b }: Scene): Promise<string[]> {
    const found = await Promise.all([a, b].map((id) => database.read((queries) => listAiInFlight(queries, scope, id))));
    return found.flat().map(({ messageId }) => messageId);
  }

  async function whatIsWrong(
    { phone, hidden, a, b, from, into, answer }: Scene,
    rivals: readonly Rival[],
    shown: string[],
  ) {
    const own = [
      { id: a, contactId: into },
      { id: b, contactId: from },
    ];
    const found = await Promise.all(
      own.map((of) => findRows(database, 'conversation', { ...of, mergedInto: null }, ['id', 'mode'])),
    );
    const conversations = found.flat();
    const strangers = await rowsOf(
      database,
      sql<object>`select m.id from message m join conversation c on c.id = m.conversation_id
        where c.id in (${a}, ${b}) and m.contact_id is distinct from c.contact_id`,
    );
    const astray = [
      ...(await findRows(database, 'message', { conversationId: a, body: hidden }, ['body'])),
      ...(await findRows(database, 'message', { conversationId: b, body: phone }, ['body'])),
    ];
    const [last] = await findRows(database, 'message', { id: answer }, ['status']);
    const modeOf = (id: string) => conversations.find((conversation) => conversation.id === id)?.mode;
    const taken = [
      ...(rivals.includes('takenOverHere') ? [modeOf(b)] : []),
      ...(rivals.includes('takenOverThere') ? [modeOf(a)] : []),
    ];
    const queues = await Promise.all([a, b].map((id) => listTold(database, [id])));
    return {
      alive: conversations.length,
      strangers,
      astray,
      isHeld: taken.every((mode) => mode === 'human_takeover'),
      // The agent's answer is to the person under the hidden id.
      isTalkedOver: rivals.includes('takenOverHere') && last?.status === 'sending' && !shown.includes(answer),
      // Messages that left while they were one continue on their way.
      faults: queues
        .flatMap((told) => queueFaultsOf(told, { isPaced: false }))
        .filter((fault) => !fault.includes('on their way')),
    };
  }
});
