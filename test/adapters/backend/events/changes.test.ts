import { describe, expect, test } from '@jest/globals';
import { parseBackendEvent } from '../../../../adapters/backend/events/events.ts';
import type { NetworkEvent } from '../../../../domain/network/network-event.ts';
import { call, edited, envelope, payloads, reaction, revoked, vote } from './contract-payloads.ts';

function eventOf(name: string, payload: unknown, over: Record<string, unknown> = {}): NetworkEvent {
  const parsed = parseBackendEvent(envelope(name, payload, over));
  if (parsed.outcome !== 'parsed') throw new Error(parsed.reason);
  return parsed.event;
}

const CONTACT = { fromMe: false, chatId: '15557654321@c.us', participant: null, aliases: [] };
const TOLD = { toldAt: 1795226735662 };

describe('an edit', () => {
  test('names the message, the words that it has now, and its own id', () => {
    expect(eventOf('message.edited', edited)).toEqual({
      kind: 'edited',
      key: 'edited:3AED00000000000011:3AED00000000000012',
      networkId: '3AED00000000000011',
      by: CONTACT,
      at: 1795226735000,
      ...TOLD,
      editId: '3AED00000000000012',
      unnamedId: '2ipUUhq9ZBJ6MxwQu0JhO4',
      body: 'I need 50',
    });
  });

  test('has the time of its maker where the network tells it in milliseconds', () => {
    const protocolMessage = { type: 14, timestampMs: '1795226735123', editedMessage: { conversation: 'I need 50' } };
    const message = { editedMessage: { message: { protocolMessage } } };
    expect(eventOf('message.edited', { ...edited, _data: { message } })).toMatchObject({ at: 1795226735123 });
  });

  test('without an id of its own is known by its words, and dated by the report', () => {
    const webjs = { ...edited, id: 'false_15557654321@c.us_3AED00000000000011', timestamp: 1700000000, _data: {} };
    const first = eventOf('message.edited', webjs);
    const editId = '2ipUUhq9ZBJ6MxwQu0JhO4';
    expect(first).toMatchObject({ networkId: '3AED00000000000011', at: 1795226735662, editId, unnamedId: editId });
    expect(eventOf('message.edited', { ...webjs, body: 'other' }).key).not.toBe(first.key);
    expect(eventOf('message.edited', webjs).key).toBe(first.key);
  });

  test('that comes as a message, too, is no message', () => {
    const { editedMessageId: _, ...twin } = edited;
    const message = { protocolMessage: { type: 'MESSAGE_EDIT' } };
    expect(eventOf('message.any', { ...twin, _data: { message } })).toMatchObject({
      kind: 'ignored',
      reason: 'change_of_a_message',
    });
    // The same where the engine wraps it as NOWEB does.
    expect(eventOf('message.any', twin)).toMatchObject({ kind: 'ignored' });
  });
});

describe('a revocation', () => {
  test('names the message, and who took it back', () => {
    const networkId = '3A0000000000000000A1';
    expect(eventOf('message.revoked', revoked)).toEqual({
      kind: 'revoked',
      key: `revoked:${networkId}`,
      networkId,
      by: CONTACT,
      at: 1795226735000,
      ...TOLD,
    });
    const serialized = { ...revoked, revokedMessageId: `false_15557654321@c.us_${networkId}` };
    expect(eventOf('message.revoked', serialized)).toMatchObject({ networkId });
  });
});

describe('a time to come', () => {
  const AHEAD_S = 4_000_000_000;

  test.each([
    ['message.edited', { ...edited, timestamp: AHEAD_S, _data: {} }],
    ['message.revoked', { ...revoked, after: { ...revoked.after, timestamp: AHEAD_S } }],
    ['message.reaction', { ...reaction, timestamp: AHEAD_S }],
    ['call.received', { ...call, timestamp: AHEAD_S }],
    ['poll.vote', { ...vote, vote: { ...vote.vote, timestamp: AHEAD_S * 1_000 } }],
  ])('of %s is the time of its arrival at the latest', (name, payload) => {
    const event = eventOf(name, payload, { timestamp: AHEAD_S * 1_000 });
    expect('at' in event ? event.at : null).toBeLessThanOrEqual(Date.now());
    expect('at' in event ? event.at : 0).toBeGreaterThan(0);
  });
});

describe('a reaction', () => {
  test('names the message, who reacted and when', () => {
    expect(eventOf('message.reaction', reaction)).toEqual({
      kind: 'reaction',
      key: 'reaction:15557654321@c.us:3A00000000000000A4',
      networkId: '3EB0785ED5B14F01C04FDE',
      by: CONTACT,
      at: 1710481111853,
      ...TOLD,
      emoji: '👍',
    });
  });

  test('of a group is the member’s', () => {
    const id = 'false_120363000000000000@g.us_3A00000000000000A4_123456789012345@lid';
    const inGroup = { ...reaction, id, participant: '123456789012345@lid' };
    expect(eventOf('message.reaction', inGroup)).toMatchObject({ by: { participant: '123456789012345@lid' } });
  });

  test('that is taken away has no emoji', () => {
    const gone = { ...reaction, reaction: { ...reaction.reaction, text: '' } };
    expect(eventOf('message.reaction', gone)).toMatchObject({ emoji: '' });
  });

  test('to a story is ignored', () => {
    const id = 'false_status@broadcast_3A00000000000000A4';
    expect(eventOf('message.reaction', { ...reaction, id })).toMatchObject({ kind: 'ignored' });
  });
});

describe('a vote', () => {
  test('names the poll and all that is chosen', () => {
    expect(eventOf('poll.vote', vote)).toEqual({
      kind: 'vote',
      key: 'vote:15557654321@c.us:3A00000000000000A5',
      networkId: '3EB0785ED5B14F01C04FDF',
      by: CONTACT,
      at: 1795226735000,
      ...TOLD,
      options: ['Mon', 'Tue'],
    });
  });

  test('that the backend could not read chooses nothing that is known', () => {
    expect(eventOf('poll.vote.failed', vote)).toMatchObject({ kind: 'vote', options: null });
  });
});

describe('a call', () => {
  test.each([
    ['call.received', 'received'],
    ['call.accepted', 'accepted'],
    ['call.rejected', 'rejected'],
  ])('%s', (name, status) => {
    expect(eventOf(name, call)).toEqual({
      kind: 'call',
      key: `call:CALL1:${status}`,
      callId: 'CALL1',
      chatId: '15557654321@c.us',
      participant: null,
      status,
      at: 1795226400000,
      isVideo: false,
      isGroup: false,
    });
  });

  test('to a group is the group’s', () => {
    const inGroup = { ...call, isGroup: true, _data: { chatId: '120363000000000000@g.us' } };
    expect(eventOf('call.received', inGroup)).toMatchObject({
      chatId: '120363000000000000@g.us',
      participant: '15557654321@c.us',
      isGroup: true,
    });
  });

  test.each([[{ ...call, from: null }], [{ ...call, id: 7 }], [{ ...call, from: 'status@broadcast' }], [null]])(
    'that does not say whose it is, is ignored',
    (odd) => {
      expect(eventOf('call.received', odd)).toMatchObject({ kind: 'ignored', reason: 'call' });
    },
  );
});

describe('a message', () => {
  test('that was edited before it is listed has its present words', () => {
    const message = { editedMessage: { message: { conversation: 'I need 50' } } };
    const listed = { ...payloads.direct, body: 'I need 50', _data: { message } };
    expect(eventOf('message.any', listed)).toMatchObject({ message: { kind: 'text', body: 'I need 50' } });
  });
});
