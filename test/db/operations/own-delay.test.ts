import { beforeEach, describe, expect, it } from '@jest/globals';
import { HELD_BY_ROLL_OUT } from '../../../db/dispatch.ts';
import { readEngineWork } from '../../../db/operations/engine-status.ts';
import { delaysOf } from '../../../domain/operations/delays.ts';
import type { DelayedWork } from '../../../domain/operations/delays.ts';
import type { EngineWork } from '../../../domain/operations/engine-work.ts';
import {
  addRow,
  ago,
  changeRows,
  databaseNow,
  deleteRows,
  entriesRead,
  findRow,
  fromNow,
  json,
} from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';

const { database, sessionId, session } = await databaseOfThisFile();
const { agencyId, tenantId } = SCOPE;
const conversationId = 'c';
const CHATS = [conversationId, 'd', 'e', ...Array.from({ length: 16 }, (_, n) => `chat_${n}`)];
await addRow(
  database,
  'conversation',
  ...CHATS.map((id, n) => ({ id, agencyId, tenantId, sessionId, chatId: `${n + 1}@c.us` })),
);
let messages = 0;

interface Waits {
  origin?: string;
  bulk?: boolean;
  lane?: number;
  attempts?: number;
  status?: string;
  conversationId?: string;
  readyAt?: ReturnType<typeof ago> | null;
  releasedAt?: ReturnType<typeof ago>;
  claimedAt?: ReturnType<typeof ago>;
  claimOwner?: string;
  networkId?: string;
  sentAt?: ReturnType<typeof ago>;
  heldBy?: string;
  heldUntil?: ReturnType<typeof ago>;
}

/** A message that has been in the queue for an hour, and the first of its chat as long. */
async function queue(waits: Waits = {}): Promise<void> {
  messages += 1;
  await addRow(database, 'message', {
    id: `msg_${messages}`,
    agencyId,
    tenantId,
    sessionId,
    conversationId,
    direction: 'out',
    origin: 'api',
    kind: 'text',
    body: '',
    status: 'queued',
    chatSeq: String(messages),
    occurredAt: databaseNow,
    createdAt: ago({ hours: 1 }),
    readyAt: ago({ hours: 1 }),
    expiresAt: fromNow({ hours: 1 }),
    ...waits,
  });
}

const work = (): Promise<EngineWork> => database.read(readEngineWork);
const late = async (): Promise<DelayedWork[]> => delaysOf(await work()).map((delay) => delay.work);

beforeEach(async () => {
  await deleteRows(database, 'message');
  await deleteRows(database, 'dispatch');
  await deleteRows(database, 'sessionPace');
  await deleteRows(database, 'backendEvent');
  await changeRows(database, 'session', { status: 'WORKING', statusChangedAt: ago({ hours: 2 }) });
});

describe('work that the engine itself is late with', () => {
  it('is a message that nothing holds and that was not tried', async () => {
    await queue();
    const { untriedMessages } = await work();
    expect(untriedMessages.count).toBe(1);
    expect(untriedMessages.oldestSeconds).toBeGreaterThanOrEqual(3_600);
    expect(await late()).toEqual(['messages']);
  });

  const HELD: [state: string, waits: Waits][] = [
    ['bulk', { bulk: true }],
    ['tried before', { attempts: 1 }],
    ['held by pace', { heldBy: 'pace', heldUntil: fromNow({ minutes: 5 }) }],
    ['held until tomorrow', { heldBy: 'first_contacts', heldUntil: fromNow({ hours: 9 }) }],
    ['just let go by pace', { heldBy: 'pace', heldUntil: ago({ seconds: 1 }) }],
  ];

  it.each(HELD)('is no message that is %s, nor one behind it', async (_state, waits) => {
    await queue(waits);
    if (waits.bulk !== true) await queue();
    expect(await late()).toEqual([]);
  });

  it('is no message whose chat settles another one, of either lane, but one of another chat', async () => {
    await queue({ status: 'sending', attempts: 1, lane: 1 });
    await queue({ lane: 1 });
    await queue({ lane: 0 });
    expect((await work()).untriedMessages.count).toBe(0);
    await changeRows(database, 'message', { conversationId: 'd' }, { status: 'sending' });
    expect((await work()).untriedMessages.count).toBe(2);
  });

  it('counts from when the message became the first of its chat', async () => {
    await queue({ readyAt: databaseNow });
    expect(await late()).toEqual([]);
  });

  it('is no message behind another one of its chat, whether that is released, ready or not looked at yet', async () => {
    await queue({ releasedAt: databaseNow });
    await queue({ readyAt: null });
    expect(await late()).toEqual([]);
    expect((await work()).untriedMessages.count).toBe(1);
    // A chat has one message on its way, of either lane.
    await queue({ lane: 0 });
    expect((await work()).untriedMessages.count).toBe(1);
    await changeRows(database, 'message', { conversationId: 'd' }, { lane: 0 });
    expect((await work()).untriedMessages.count).toBe(2);
  });

  describe('where an account is busy', () => {
    const cap = async () => (await findRow(database, 'paceDefault', {}, ['sendsPerSession'])).sendsPerSession;
    /** As many calls as the account may have, begun that long ago. */
    async function calls(many: number, call: Waits = {}): Promise<void> {
      for (let n = 0; n < many; n += 1) {
        const times = { releasedAt: ago({ minutes: 2 }), claimedAt: ago({ seconds: 30 }) };
        await queue({ conversationId: 'd', status: 'sending', attempts: 1, ...times, ...call });
      }
    }
    const waiting = { releasedAt: ago({ minutes: 3 }) };

    it('is no message of an account whose calls hang and fill its cap, but one of an account with room', async () => {
      await queue(waiting);
      await calls((await cap()) - 1);
      expect(await late()).toEqual(['messages']);
      await calls(1);
      expect((await work()).untriedMessages.count).toBe(0);
    });

    it('counts from when the account had room last, while its calls are quick', async () => {
      await queue(waiting);
      await calls(await cap(), { claimedAt: ago({ seconds: 1 }) });
      expect((await work()).untriedMessages.count).toBe(1);
      expect(await late()).toEqual([]);
    });

    it('is a message that only calls of a process that is gone would hold', async () => {
      await queue(waiting);
      await calls(await cap(), { claimOwner: '987654321987' });
      expect(await late()).toEqual(['messages']);
    });

    const sent = (sentAt: ReturnType<typeof ago>) =>
      queue({ conversationId: 'd', status: 'sent', networkId: 'SENT', releasedAt: ago({ minutes: 5 }), sentAt });

    it('is no message that waits for the account to send those before it, while it sends some', async () => {
      await queue({ lane: 1, heldBy: 'queue' });
      await sent(ago({ seconds: 20 }));
      expect((await work()).untriedMessages.count).toBe(0);
      await queue({ lane: 0, conversationId: 'd' });
      expect((await work()).untriedMessages.count).toBe(1);
      await deleteRows(database, 'message', { lane: 0, status: 'queued' });
      await changeRows(database, 'message', { sentAt: ago({ minutes: 3 }) }, { status: 'sent' });
      expect(await late()).toEqual(['messages']);
      expect((await work()).untriedMessages.oldestSeconds).toBeLessThan(3_600);
    });

    it('is a message whose account sends nothing, though a person writes on its phone', async () => {
      await queue({ lane: 1, heldBy: 'queue' });
      await sent(ago({ seconds: 20 }));
      await changeRows(database, 'message', { releasedAt: null }, { status: 'sent' });
      expect(await late()).toEqual(['messages']);
    });

    it('is a message that was released, whatever held it before', async () => {
      await queue({ lane: 1, heldBy: 'queue', ...waiting });
      await sent(ago({ seconds: 20 }));
      expect(await late()).toEqual(['messages']);
    });

    it('is no reply that waits for its start beside other agencies, while the account sends some', async () => {
      await queue({ lane: 0 });
      await sent(ago({ seconds: 20 }));
      expect(await late()).toEqual(['messages']);
      await addRow(database, 'sessionPace', { sessionId, nextStartAt: fromNow({ seconds: 1 }) });
      expect((await work()).untriedMessages.count).toBe(0);
    });

    it('is no reply while as many are on their way as may be, and the account sends some', async () => {
      await queue({ lane: 0, conversationId: 'e' });
      await sent(ago({ seconds: 20 }));
      for (let n = 0; n < 16; n += 1) {
        expect((await work()).untriedMessages.count).toBe(n + 1);
        await queue({ lane: 0, conversationId: `chat_${n}`, releasedAt: ago({ seconds: 5 }) });
      }
      expect((await work()).untriedMessages.count).toBe(16);
      expect(await late()).toEqual([]);
    });

    it("is a person's reply behind the agent's, which hold it back no more, but none behind as many of people", async () => {
      await queue({ lane: 0, conversationId: 'e', origin: 'person' });
      await sent(ago({ seconds: 20 }));
      for (let n = 0; n < 16; n += 1)
        await queue({ lane: 0, conversationId: `chat_${n}`, origin: 'ai', releasedAt: ago({ seconds: 5 }) });
      expect(await late()).toEqual(['messages']);
      await changeRows(database, 'message', { origin: 'person' }, { origin: 'ai' });
      expect(await late()).toEqual([]);
    });
  });

  it('counts from the end of the pause between two sends, when nobody sends then', async () => {
    await queue({ heldBy: 'pace', heldUntil: ago({ minutes: 10 }) });
    await queue({ conversationId: 'd' });
    const { untriedMessages } = await work();
    expect(untriedMessages.count).toBe(2);
    expect(untriedMessages.oldestSeconds).toBeGreaterThanOrEqual(600);
    expect(untriedMessages.oldestSeconds).toBeLessThan(3_600);
  });

  it('is no send whose pace has just let another one go, but a reply, which has no pace', async () => {
    await addRow(database, 'sessionPace', { sessionId, nextSlotAt: fromNow({ seconds: 30 }) });
    await queue({ lane: 1 });
    expect(await late()).toEqual([]);
    await queue({ lane: 0 });
    expect(await late()).toEqual(['messages']);
    await changeRows(database, 'sessionPace', { nextSlotAt: ago({ minutes: 30 }) });
    await deleteRows(database, 'message', { lane: 0 });
    expect(await late()).toEqual(['messages']);
  });

  it('is a reply that nobody sends while pace holds the sends of the session, also in the same chat', async () => {
    await queue({ lane: 1, heldBy: 'pace', heldUntil: fromNow({ minutes: 5 }) });
    await queue({ lane: 0 });
    expect((await work()).untriedMessages.count).toBe(1);
    expect(await late()).toEqual(['messages']);
  });

  it('is nothing that waits for a session that does not work, and counts from when it works again', async () => {
    await queue();
    await changeRows(database, 'session', { status: 'STOPPED', statusChangedAt: ago({ hours: 2 }) });
    expect((await work()).untriedMessages).toEqual({ count: 0, oldestSeconds: null });
    await changeRows(database, 'session', { status: 'WORKING', statusChangedAt: databaseNow });
    expect(await late()).toEqual([]);
  });

  it('is a promise since its own time, and since it was made once it was tried', async () => {
    const promise = { workflowType: 'x', workflowId: 'x', action: 'start', agencyId };
    await addRow(database, 'dispatch', { ...promise, createdAt: ago({ hours: 1 }), notBefore: ago({ seconds: 1 }) });
    expect(await late()).toEqual([]);
    await changeRows(database, 'dispatch', { attempts: 2 });
    expect(await late()).toEqual(['promises']);
  });

  it('is no promise that the dispatcher holds during a roll-out, unless it does not look again', async () => {
    const promise = { workflowType: 'x', workflowId: 'x', action: 'start', agencyId };
    const held = { ...promise, attempts: 20, lastError: HELD_BY_ROLL_OUT };
    await addRow(database, 'dispatch', { ...held, createdAt: ago({ hours: 1 }), notBefore: ago({ seconds: 1 }) });
    expect(await late()).toEqual([]);
    expect((await work()).promises.count).toBe(1);
    await changeRows(database, 'dispatch', { notBefore: ago({ minutes: 3 }) });
    expect(await late()).toEqual(['promises']);
    expect((await work()).promises.oldestSeconds).toBeLessThan(3_600);
  });

  it('is an event of a backend that was never tried', async () => {
    const event = { sessionName: session.name, body: '{}', requestKey: 'k', receivedAt: ago({ minutes: 5 }) };
    await addRow(database, 'backendEvent', event);
    expect(await late()).toEqual(['events_in']);
    await changeRows(database, 'backendEvent', { attempts: 1 });
    expect(await late()).toEqual([]);
  });

  describe('with events to a receiver', () => {
    const endpointId = 'whe_1';
    const delivery = { endpointId, agencyId, tenantId, lane: 'c', ready: true };
    const due = (eventId: string, more: { lane?: string; attempts?: number; outOfOrder?: boolean } = {}) =>
      addRow(database, 'delivery', {
        ...delivery,
        eventId,
        eventCreatedAt: ago({ hours: 1 }),
        nextAttemptAt: ago({ hours: 1 }),
        ...more,
      });
    const posted = (at: ReturnType<typeof ago>, durationMs: number) =>
      addRow(database, 'deliveryAttempt', {
        deliveryId: '1',
        endpointId,
        eventId: 'evt_0',
        number: 1,
        at,
        class: 'delivered',
        durationMs,
      });

    beforeEach(async () => {
      await deleteRows(database, 'delivery');
      await deleteRows(database, 'deliveryAttempt');
      await deleteRows(database, 'endpointHealth');
      await deleteRows(database, 'endpoint', { id: endpointId });
      await addRow(database, 'endpoint', {
        id: endpointId,
        agencyId,
        url: 'https://receiver.test/',
        secret: Buffer.from('x'),
        events: ['*'],
        statusAt: ago({ hours: 2 }),
      });
      await addRow(database, 'endpointHealth', { endpointId });
    });

    it('is one to a receiver that is well, and none behind an attempt that failed', async () => {
      await due('evt_1');
      expect(await late()).toEqual(['events_out']);
      await due('evt_2', { attempts: 1 });
      expect(await late()).toEqual([]);
      await deleteRows(database, 'delivery', { eventId: 'evt_2' });
      await changeRows(database, 'endpointHealth', { breaker: 'open', failingSince: ago({ hours: 1 }) });
      expect(await late()).toEqual([]);
    });

    it('is the first of a lane alone, and each that goes out of order', async () => {
      await due('evt_1');
      await due('evt_2');
      expect((await work()).untriedDeliveries.count).toBe(1);
      await due('evt_3', { outOfOrder: true });
      expect((await work()).untriedDeliveries.count).toBe(2);
      await due('evt_4', { lane: 'd' });
      expect((await work()).untriedDeliveries.count).toBe(3);
      // One that failed out of order holds back no lane.
      await due('evt_5', { outOfOrder: true, attempts: 1 });
      expect((await work()).untriedDeliveries.count).toBe(3);
    });

    it('is none that waits in turn at a receiver that answers slowly', async () => {
      await due('evt_1');
      await due('evt_2');
      for (let second = 1; second <= 10; second += 1) await posted(ago({ seconds: second }), 900);
      expect(await late()).toEqual([]);
      expect((await work()).untriedDeliveries.count).toBe(1);
      // Nine other lanes wait, and the receiver takes ten posts at a time: the engine makes one at a time.
      for (let lane = 0; lane < 9; lane += 1) await due(`evt_lane_${lane}`, { lane: `lane_${lane}` });
      expect(await late()).toEqual(['events_out']);
      await changeRows(database, 'endpoint', { ordering: 'fifo' });
      expect(await late()).toEqual([]);
    });

    it('is one to a receiver that answers quickly, though the engine posts something now and then', async () => {
      await due('evt_1');
      for (let second = 1; second <= 50; second += 10) await posted(ago({ seconds: second }), 30);
      expect(await late()).toEqual(['events_out']);
    });
  });
});

describe('a read of the work', () => {
  const OLD = 40;

  it('reads no missing content that is older than a day', async () => {
    const missing = (id: string, age: ReturnType<typeof ago>) =>
      addRow(database, 'message', {
        id,
        agencyId,
        tenantId,
        sessionId,
        conversationId,
        direction: 'in',
        origin: 'contact',
        kind: 'other',
        status: 'received',
        content: json({ contentState: 'missing' }),
        occurredAt: age,
        createdAt: age,
      });
    for (let n = 0; n < OLD; n += 1) await missing(`msg_old_${n}`, ago({ days: 2 }));
    await missing('msg_new', ago({ minutes: 1 }));
    expect(await entriesRead(database, 'message_content_missing', readEngineWork)).toBe(1);
    expect((await work()).missingContents).toBe(1);
  });

  it('reads no turn that ended more than an hour ago', async () => {
    const turn = { agencyId, tenantId, sessionId, conversationId, conversationEpoch: 0, tenantEpoch: 0 };
    const ended = (id: string, endedAt: ReturnType<typeof ago>) =>
      addRow(database, 'aiTurn', { ...turn, id, upToMessageId: id, upToAt: endedAt, outcome: 'reply', endedAt });
    for (let n = 0; n < OLD; n += 1) await ended(`trn_old_${n}`, ago({ days: 2 }));
    await ended('trn_new', ago({ minutes: 1 }));
    expect(await entriesRead(database, 'ai_turn_ended', readEngineWork)).toBe(1);
    expect((await work()).turns).toEqual([{ outcome: 'reply', silence: null, count: 1 }]);
  });
});
