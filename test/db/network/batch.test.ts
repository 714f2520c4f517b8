import { beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { z } from 'zod';
import { erasedDigester } from '../../../db/personal-data/erased-address.ts';
import { applyNetworkEvents } from '../../../db/network/ingest.ts';
import { insertSession } from '../../../db/sessions/session.ts';
import { ensureTenant } from '../../../db/tenants/tenant.ts';
import type { AckLevel } from '../../../domain/network/ack.ts';
import type { NetworkEvent, NetworkMessage } from '../../../domain/network/network-event.ts';
import { aReaction, aRevoke, anEdit } from './message-change.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { addMessage, changeRows, databaseNow, findRows, rowsOf } from '../../support/rows.ts';
import { seeded } from '../seeded.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { roundTripsOf } from '../round-trips.ts';
import { howMany } from '../../support/depth.ts';

const { database, session } = await databaseOfThisFile();

/** A session of a tenant of its own; it has sent a message to each of these people. */
async function aWorld(tenantId: string, people: readonly string[]) {
  return database.transaction(async (tx) => {
    const scope = { agencyId: session.agencyId, tenantId };
    await ensureTenant(tx, scope);
    await changeRows(tx, 'tenant', { aiEnabled: true }, { id: tenantId });
    const id = await insertSession(tx, scope, {});
    if (id === null) throw new Error('The session was not made.');
    const own = { id, ...scope, name: tenantId };
    const timestamp = Math.floor(tx.now.getTime() / 1_000) - 60;
    const first = people.map((chatId, n) => message({ chatId, networkId: `FIRST${n}`, timestamp }));
    await applyNetworkEvents(
      tx,
      first.map((event) => ({ session: own, event, receivedAt: null })),
    );
    const talks = await findRows(tx, 'conversation', { sessionId: id }, { talk: 'id' }, 'chatId');
    for (const [index, { talk }] of talks.entries())
      await addMessage(tx, talk, {
        id: `msg_${talk}`,
        direction: 'out',
        origin: 'api',
        body: 'ours',
        networkId: `OURS${index + 1}`,
        status: 'sent',
        ack: 0,
        sentAt: databaseNow,
      });
    return own;
  });
}

function message(said: Partial<NetworkMessage> & Pick<NetworkMessage, 'chatId' | 'networkId'>): NetworkEvent {
  const timestamp = Math.floor(database.clock.now().getTime() / 1_000);
  return {
    kind: 'message',
    key: said.networkId,
    message: aNetworkMessage({ timestamp, body: said.networkId, ...said }),
  };
}

const ack = (networkId: string, level: AckLevel): NetworkEvent => ({
  kind: 'ack',
  key: networkId,
  networkId,
  chatId: '1@c.us',
  level,
  error: null,
});

const Told = z.object({
  payload: z.object({ body: z.unknown(), status: z.unknown(), to: z.unknown() }).partial(),
});

/** Returns the rows after the events, and the outgoing events, without ids that differ anyway. */
async function outcomeOf(sessionId: string) {
  return {
    messages: await rowsOf(
      database,
      sql<object>`
        select m.network_id, m.direction, m.origin, m.status, m.ack, m.body, m.awaits_turn, m.revoked_at is not null as gone,
          m.error_code, (select string_agg(h.status, ' ' order by h.id) from message_history h where h.message_id = m.id) as steps
        from message m where m.session_id = ${sessionId} order by m.direction, m.network_id`,
    ),
    conversations: await findRows(
      database,
      'conversation',
      { sessionId },
      ['chatId', 'unreadCount', 'lastMessageBody', 'lastMessageFromMe', 'contacted', 'mode'],
      'chatId',
    ),
    parked: {
      acks: await findRows(database, 'parkedAck', { sessionId }, ['networkId', 'level'], ['networkId', 'level']),
      own: await findRows(database, 'parkedOwnMessage', { sessionId }, ['networkId'], 'networkId'),
      changes: await findRows(database, 'parkedChange', { sessionId }, ['networkId', 'key'], ['networkId', 'key']),
    },
    told: (await findRows(database, 'event', { sessionId }, ['type', 'body', 'sequence'], ['sequence', 'id'])).map(
      ({ type, body, sequence }) => ({ type, sequence, ...Told.parse(JSON.parse(body)).payload }),
    ),
  };
}

describe('a batch of events', () => {
  const people = ['15557100001@c.us', '15557100002@c.us', '120363000000000001@g.us', '7710001@lid'];

  it.each(Array.from({ length: howMany({ few: 3, all: 24 }) }, (_, seed) => seed))(
    'leaves what its events leave that are applied one by one (seed %i)',
    async (seed) => {
      const random = seeded(seed);
      const any = <T>(choices: readonly T[]): T => {
        const chosen = choices[Math.floor(random() * choices.length)];
        if (chosen === undefined) throw new Error('Nothing to choose from.');
        return chosen;
      };
      const ids = Array.from({ length: 10 }, (_, n) => `IN${n}`);
      const makes: (() => NetworkEvent)[] = [
        () => message({ chatId: any(people), networkId: any(ids), replyToNetworkId: any([null, 'OURS1', 'FIRST0']) }),
        () => message({ chatId: any(people), networkId: any(ids), participant: any([null, people[0] ?? null]) }),
        () => ack(`OURS${any([1, 2, 3, 4, 9])}`, any([1, 2, 3, 4] as const)),
        () => ack(`OURS${any([1, 2])}`, -1),
        () => message({ chatId: any(people), networkId: any(['OURS1', 'OWN1', 'OWN2']), fromMe: true, aliases: [] }),
        () => aRevoke(any(ids)),
        () => anEdit(any(ids), any(['once', 'twice']), { at: any([1, 2]) }),
        () => aReaction(any([...ids, 'OURS1']), any(['👍', '']), { at: any([1, 2, 3]) }),
        () => ({ kind: 'typing', key: 't', chatId: any(people), isTyping: any([true, false]) }),
        () => ({ kind: 'ignored', key: 'i', reason: 'nothing to us' }),
      ];
      const often = [0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 4, 4, 5, 6, 6, 7, 7, 8, 9];
      const events = Array.from({ length: 40 }, () => any(often.map((n) => makes[n] ?? any(makes)))());
      const [apart, together] = [await aWorld(`apart${seed}`, people), await aWorld(`together${seed}`, people)];
      for (const event of events) {
        await database.transaction((tx) => applyNetworkEvents(tx, [{ session: apart, event, receivedAt: null }]));
      }
      await database.transaction((tx) =>
        applyNetworkEvents(
          tx,
          events.map((event) => ({ session: together, event, receivedAt: null })),
        ),
      );
      expect(await outcomeOf(together.id)).toEqual(await outcomeOf(apart.id));
    },
  );

  describe('of contacts and acks', () => {
    let world: Awaited<ReturnType<typeof aWorld>>;
    beforeAll(async () => {
      world = await aWorld('counted', people);
      // The tenant's first transactions make and learn what keys the digests of erased addresses.
      for (let each = 0; each < 2; each += 1) await database.transaction((tx) => erasedDigester(tx, [world]));
    });

    it.each([1, 60])('takes three statements, for %i of each', async (count) => {
      const events = Array.from({ length: count }, (_, n) => [
        message({ chatId: people[n % 2] ?? '', networkId: `MANY${count}_${n}` }),
        ack(`OURS${(n % 2) + 1}`, count === 1 ? 2 : 3),
      ]).flat();
      const told = events.map((event) => ({ session: world, event, receivedAt: null }));
      expect(await roundTripsOf(database, (tx) => applyNetworkEvents(tx, told))).toBe(3);
    });
  });
});
