import { beforeEach, describe, expect, it } from '@jest/globals';
import { deleteEndpoint, lockEndpoint, updateEndpoint } from '../../../db/webhooks/endpoint-change.ts';
import { listChangedSessions, takeChanges, tellHistory } from '../../../db/conversations/mirror/notes.ts';
import { insertEndpoint } from '../../../db/webhooks/endpoint.ts';
import { applyNetworkEvents } from '../../../db/network/ingest.ts';
import { importMessages } from '../../../db/network/history.ts';
import { acceptSend } from '../../../db/sending/accept.ts';
import { lockRequest, changeMessage } from '../../../db/sending/waiting.ts';
import { readMirrors, writePulledMirror } from '../../../db/webhooks/mirror.ts';
import type { NetworkEvent } from '../../../domain/network/network-event.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { addRow, changeRows, countRows, databaseNow, deleteRows, findRow, findRows, json } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { roundTripsOf } from '../round-trips.ts';

const { database, session } = await databaseOfThisFile();
const OF_KEY = { ...SCOPE, sessionId: session.id };
const by = { actor: 'test', reason: null, keyId: null };

let people = 0;
const aPerson = (): string => `1555${7_000_000 + (people += 1)}@c.us`;

function said(chatId: string, body: string, more: object = {}): NetworkEvent {
  const timestamp = Math.floor(database.clock.now().getTime() / 1_000);
  const networkId = `${chatId}${body}`;
  return { kind: 'message', key: networkId, message: aNetworkMessage({ networkId, chatId, timestamp, body, ...more }) };
}

const told = (...events: NetworkEvent[]) => events.map((event) => ({ session, event, receivedAt: null }));
const tell = (...events: NetworkEvent[]) => database.transaction((tx) => applyNetworkEvents(tx, told(...events)));
const mirror = (tenantIds: string[] | null) =>
  database.transaction((tx) => writePulledMirror(tx, SCOPE.agencyId, tenantIds));
const take = () => database.transaction((tx) => takeChanges(tx, session.id));
const send = (chatId: string, sendAt?: Date) =>
  database.transaction((tx) =>
    acceptSend(tx, OF_KEY, {
      recipient: { chatId },
      parts: [{ kind: 'text', body: 'Hello' }],
      origin: 'api',
      expires: { afterMs: 60_000 },
      ...(sendAt ? { sendAt } : {}),
    }),
  );
const idOf = (outcome: Awaited<ReturnType<typeof send>>): string => {
  if (outcome.outcome !== 'accepted') throw new Error(outcome.outcome);
  return outcome.messageId;
};

/** Returns whether each changed message is new, and the number of changed conversations. */
async function changes() {
  const taken = await take();
  if (taken === 'busy') throw new Error('Nobody else is at it.');
  const { messages, conversationIds } = taken;
  return {
    messages: messages.map(({ isNew, isHistory }) => ({ isNew, isHistory })),
    conversations: conversationIds.length,
  };
}
const NOTHING = { messages: [], conversations: 0 };
const NEW = { isNew: true, isHistory: false };
const CHANGED = { isNew: false, isHistory: false };

describe('changes of an inbox', () => {
  beforeEach(async () => {
    await mirror([]);
    await deleteRows(database, 'mirrorNote');
  });

  it('leave nothing, and cost a message of a contact no statement, where nobody mirrors', async () => {
    const [one, other] = [aPerson(), aPerson()];
    // The first messages of a process read what it keeps: the tenant's pepper, subscriptions, settings.
    await tell(said(aPerson(), 'earlier'));
    await tell(said(aPerson(), 'earlier'));
    await deleteRows(database, 'mirrorNote');
    const before = await roundTripsOf(database, (tx) => applyNetworkEvents(tx, told(said(one, 'first'))));
    await mirror(['another']);
    const beside = await roundTripsOf(database, (tx) => applyNetworkEvents(tx, told(said(one, 'second'))));
    expect(await countRows(database, 'mirrorNote')).toBe(0);
    await mirror(null);
    const mirrored = await roundTripsOf(database, (tx) => applyNetworkEvents(tx, told(said(other, 'first'))));
    expect({ beside, mirrored }).toEqual({ beside: before, mirrored: before });
    expect(await changes()).toEqual({ messages: [NEW], conversations: 1 });
  });

  it('are told together once, and of a message that was there before as a change', async () => {
    const person = aPerson();
    await mirror([SCOPE.tenantId]);
    await tell(said(person, 'one'), said(person, 'two'));
    expect(await database.read((queries) => listChangedSessions(queries))).toEqual([session.id]);
    expect(await changes()).toEqual({ messages: [NEW, NEW], conversations: 1 });
    expect(await changes()).toEqual(NOTHING);
    expect(await database.read((queries) => listChangedSessions(queries))).toEqual([]);
    await changeRows(database, 'message', { ack: 1 }, { networkId: `${person}one` });
    // A change of the engine's own columns is no change.
    await changeRows(database, 'message', { claimedAt: databaseNow, attempts: 3 }, { networkId: `${person}two` });
    await changeRows(database, 'conversation', { typingUntil: databaseNow }, { chatId: person });
    expect(await changes()).toEqual({ messages: [CHANGED], conversations: 0 });
  });

  it('have a higher revision the later they are told, and one process tells those of a session', async () => {
    await mirror(null);
    const person = aPerson();
    await tell(said(person, 'one'));
    const first = await take();
    await tell(said(person, 'two'));
    await database.transaction(async (tx) => {
      const second = await takeChanges(tx, session.id);
      if (first === 'busy' || second === 'busy') throw new Error('Nobody else is at it.');
      expect(second.revision).toBeGreaterThan(first.revision);
      expect(await take()).toBe('busy');
    });
  });

  it('are those of a send from when it is due, and again when it is put off', async () => {
    await mirror(null);
    const person = aPerson();
    const later = new Date(database.clock.now().getTime() + 3_600_000);
    const scheduled = idOf(await send(person, later));
    expect(await changes()).toEqual(NOTHING);
    await changeRows(database, 'message', { status: 'queued' }, { id: scheduled });
    expect(await changes()).toEqual({ messages: [NEW], conversations: 0 });
    await database.transaction(async (tx) => {
      const locked = await lockRequest(tx, OF_KEY, scheduled);
      if (locked) await changeMessage(tx, locked.message, locked.waiting, { sendAt: later }, 'test');
    });
    expect(await changes()).toEqual({ messages: [CHANGED], conversations: 0 });
    idOf(await send(person));
    expect(await changes()).toEqual({ messages: [NEW], conversations: 1 });
  });

  it('of the past are told where somebody asks for that', async () => {
    await mirror(null);
    const person = aPerson();
    await tell(said(person, 'live'));
    const old = ['a', 'b'].map((body) =>
      aNetworkMessage({ networkId: `${person}${body}`, chatId: person, timestamp: 1_000, body }),
    );
    await changes();
    const [conversation] = await findRows(database, 'conversation', { chatId: person }, ['id', 'chatId', 'contactId']);
    const ref = conversation as { id: string; chatId: string; contactId: string | null };
    await database.transaction((tx) => importMessages(tx, session, ref, { messages: old }));
    expect(await changes()).toEqual(NOTHING);
    const rows = await findRows(database, 'message', { origin: 'history', conversationId: ref.id }, ['id']);
    const ids = rows.map((row) => String(Reflect.get(Object(row), 'id')));
    expect(await database.transaction((tx) => tellHistory(tx, ids))).toBe(2);
    const past = { isNew: true, isHistory: true };
    expect(await changes()).toEqual({ messages: [past, past], conversations: 0 });
    await mirror([]);
    expect(await database.transaction((tx) => tellHistory(tx, ids))).toBe(0);
  });

  it('are those of what people put on a message, and of its former words', async () => {
    await mirror(null);
    const person = aPerson();
    await tell(said(person, 'Look'));
    await changes();
    const { id: messageId } = await findRow(database, 'message', { networkId: `${person}Look` }, ['id']);
    const now = { at: databaseNow, toldAt: databaseNow };
    const steps = [
      () =>
        addRow(database, 'messageResponse', {
          ...now,
          messageId,
          kind: 'reaction',
          responder: 'contact',
          value: ['👍'],
        }),
      () => changeRows(database, 'messageResponse', { value: [] }, { messageId }),
      () => addRow(database, 'messageVersion', { ...now, messageId, editId: '', body: 'Look' }),
    ];
    for (const step of steps) {
      await step();
      expect(await changes()).toEqual({ messages: [CHANGED], conversations: 0 });
    }
  });

  it('are those of a message that is deleted, of which its id alone is told', async () => {
    await mirror(null);
    const person = aPerson();
    await tell(said(person, 'Forget me'));
    await changes();
    await changeRows(database, 'conversation', { lastMessageId: null }, { chatId: person });
    await changes();
    await deleteRows(database, 'message', { networkId: `${person}Forget me` });
    expect(await changes()).toEqual({ messages: [CHANGED], conversations: 0 });
  });

  it('are those of its names and labels, too', async () => {
    await mirror(null);
    const person = aPerson();
    await tell(said(person, 'Hi', { pushName: 'Alex' }));
    await changes();
    await tell(said(person, 'Hi again', { pushName: 'Alexandra' }));
    expect(await changes()).toEqual({ messages: [NEW], conversations: 1 });
    const { id: contactId } = await findRow(database, 'contact', { chatId: person }, ['id']);
    const of = { sessionId: session.id };
    const changedAt = databaseNow;
    const steps = [
      () => changeRows(database, 'contact', { picture: json({ key: 'k' }) }, { chatId: person }),
      () => addRow(database, 'sessionContact', { ...of, contactId, name: 'Saved' }),
      () => addRow(database, 'label', { ...of, id: '9', name: 'Lead', changedAt }),
      () => addRow(database, 'chatLabel', { ...of, chatId: person, labelId: '9', isSet: true, changedAt }),
      () => changeRows(database, 'label', { name: 'Customer' }, { ...of, id: '9' }),
      () => changeRows(database, 'chatLabel', { isSet: false }, { chatId: person }),
    ];
    const counts: number[] = [];
    for (const step of steps) {
      await step();
      counts.push((await changes()).conversations);
    }
    // A new label is on no chat.
    expect(counts).toEqual([1, 1, 0, 1, 1, 1]);
  });
});

describe('an endpoint mirrors an inbox', () => {
  it('as long as it asks for the events of one', async () => {
    await mirror([]);
    const mirrors = async () => {
      const { tenantIds, endpointIds } = await database.read((queries) => readMirrors(queries, SCOPE.agencyId));
      return { tenantIds, endpoints: endpointIds.length };
    };
    const wanted = {
      agencyId: SCOPE.agencyId,
      source: 'api' as const,
      tenantIds: [SCOPE.tenantId],
      secret: 's',
      url: 'http://127.0.0.1:9/',
    };
    const id = await database.transaction((tx) => insertEndpoint(tx, { ...wanted, events: ['message'] }));
    expect(await mirrors()).toEqual({ tenantIds: [], endpoints: 0 });
    const change = (of: object) =>
      database.transaction(async (tx) => {
        const endpoint = await lockEndpoint(tx, SCOPE.agencyId, id);
        if (endpoint) await updateEndpoint(tx, endpoint, of, by);
      });
    await change({ events: ['message.any'] });
    expect(await mirrors()).toEqual({ tenantIds: [], endpoints: 1 });
    await tell(said(aPerson(), 'only messages'));
    expect(await changes()).toEqual({ messages: [NEW], conversations: 0 });
    await change({ tenantIds: ['another'] });
    await tell(said(aPerson(), 'another tenant'));
    expect(await changes()).toEqual(NOTHING);
    await change({ tenantIds: null });
    expect(await mirrors()).toEqual({ tenantIds: [], endpoints: 1 });
    await database.transaction((tx) => deleteEndpoint(tx, id, by));
    expect(await mirrors()).toEqual({ tenantIds: [], endpoints: 0 });
  });
});
