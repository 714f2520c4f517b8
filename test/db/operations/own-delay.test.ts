import { beforeEach, describe, expect, it } from '@jest/globals';
import { readEngineWork } from '../../../db/operations/engine-status.ts';
import { delaysOf } from '../../../domain/operations/delays.ts';
import type { DelayedWork } from '../../../domain/operations/delays.ts';
import type { EngineWork } from '../../../domain/operations/engine-work.ts';
import { addRow, ago, changeRows, databaseNow, deleteRows, entriesRead, fromNow, json } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';

const { database, sessionId, session } = await databaseOfThisFile();
const { agencyId, tenantId } = SCOPE;
const conversationId = 'c';
await addRow(
  database,
  'conversation',
  { id: conversationId, agencyId, tenantId, sessionId, chatId: '1@c.us' },
  { id: 'd', agencyId, tenantId, sessionId, chatId: '2@c.us' },
);
let messages = 0;

interface Waits {
  bulk?: boolean;
  lane?: number;
  attempts?: number;
  status?: string;
  readyAt?: ReturnType<typeof ago>;
  heldBy?: string;
  heldUntil?: ReturnType<typeof ago>;
}

/** A message that has been in the queue for an hour. */
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

  it('counts from the end of the pause between two sends, when nobody sends then', async () => {
    await queue({ heldBy: 'pace', heldUntil: ago({ minutes: 10 }) });
    await queue();
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

  it('is an event of a backend that was never tried', async () => {
    const event = { sessionName: session.name, body: '{}', requestKey: 'k', receivedAt: ago({ minutes: 5 }) };
    await addRow(database, 'backendEvent', event);
    expect(await late()).toEqual(['events_in']);
    await changeRows(database, 'backendEvent', { attempts: 1 });
    expect(await late()).toEqual([]);
  });

  it('is an event to a receiver that is well, and none behind an attempt that failed', async () => {
    const endpointId = 'whe_1';
    await addRow(database, 'endpoint', {
      id: endpointId,
      agencyId,
      url: 'https://receiver.test/',
      secret: Buffer.from('x'),
      events: ['*'],
      statusAt: ago({ hours: 2 }),
    });
    await deleteRows(database, 'endpointHealth');
    await addRow(database, 'endpointHealth', { endpointId });
    const delivery = { endpointId, agencyId, tenantId, eventId: 'evt_1', lane: 'c', ready: true };
    const times = { eventCreatedAt: ago({ hours: 1 }), nextAttemptAt: ago({ hours: 1 }) };
    await addRow(database, 'delivery', { ...delivery, ...times });
    expect(await late()).toEqual(['events_out']);
    await addRow(database, 'delivery', { ...delivery, ...times, eventId: 'evt_2', attempts: 1 });
    expect(await late()).toEqual([]);
    await deleteRows(database, 'delivery', { eventId: 'evt_2' });
    await changeRows(database, 'endpointHealth', { breaker: 'open', failingSince: ago({ hours: 1 }) });
    expect(await late()).toEqual([]);
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
