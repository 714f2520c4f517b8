import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BACKEND_EVENTS, parseBackendEvent } from '../../../../adapters/backend/events/events.ts';
import { envelope, otherPayloads, payloads, presence } from './contract-payloads.ts';

function eventOf(eventName: string, payload: unknown, over: Record<string, unknown> = {}) {
  const parsed = parseBackendEvent(envelope(eventName, payload, over));
  if (parsed.outcome !== 'parsed') throw new Error(`unparseable: ${parsed.reason}`);
  expect(parsed).toMatchObject({ sessionName: 'default', eventName });
  return parsed.event;
}

describe('messages', () => {
  test('a direct message becomes a message of its chat', () => {
    expect(eventOf('message.any', payloads.direct)).toEqual({
      kind: 'message',
      key: 'message:in:3A0000000000000000A1',
      message: {
        networkId: '3A0000000000000000A1',
        chatId: '15557654321@c.us',
        fromMe: false,
        source: 'app',
        kind: 'text',
        body: 'Hi there',
        timestamp: 1795226735,
        ack: null,
        hasMedia: false,
        media: null,
        participant: null,
        pushName: 'Alice',
        aliases: [],
        replyToNetworkId: null,
        selected: null,
      },
    });
  });

  test('message and message.any have the same key, whatever their event ids', () => {
    const one = eventOf('message', payloads.direct, { id: 'evt_1' });
    const other = eventOf('message.any', payloads.direct, { id: 'evt_2' });
    expect(one).toEqual(other);
  });

  test("a hidden user's phone is an alias, and the quoted message a bare id", () => {
    expect(eventOf('message.any', payloads.hiddenUser)).toMatchObject({
      message: {
        chatId: '123456789012345@lid',
        aliases: ['15557654321@c.us'],
        replyToNetworkId: '3EB0785ED5B14F01C04FDE',
      },
    });
  });

  test('a group message belongs to the group, names its writer, and its alias is the writer', () => {
    expect(eventOf('message.any', payloads.group)).toMatchObject({
      key: 'message:in:3A0000000000000000A3',
      message: {
        chatId: '120363000000000000@g.us',
        participant: '123456789012345@lid',
        aliases: ['15557654321@c.us'],
      },
    });
  });

  test('an own message carries its level and source, and no name', () => {
    const payload = { ...payloads.own, _data: { ...payloads.own._data, pushName: 'Test Account' } };
    expect(eventOf('message.any', payload)).toMatchObject({
      key: 'message:out:3EB0785ED5B14F01C04FDE',
      message: { fromMe: true, ack: 0, source: 'api', chatId: '15557654321@c.us', pushName: null },
    });
  });

  test('WEBJS names itself in "from" of an own message, so the chat comes from the id', () => {
    const payload = { ...payloads.own, from: '15551230000@c.us', to: '15557654321@c.us', timestamp: 1710481111.853 };
    expect(eventOf('message.any', payload, { engine: 'WEBJS' })).toMatchObject({
      message: { chatId: '15557654321@c.us', aliases: [], timestamp: 1710481111 },
    });
  });

  test('GOWS names the sender, who is ourselves in own messages', () => {
    const Info = { PushName: 'Alice', SenderAlt: '15557654321:7@s.whatsapp.net', RecipientAlt: '' };
    const inbound = { ...payloads.hiddenUser, _data: { Info, Message: { conversation: 'lid msg' } } };
    expect(eventOf('message.any', inbound, { engine: 'GOWS' })).toMatchObject({
      message: { aliases: ['15557654321@c.us'], pushName: 'Alice', kind: 'text' },
    });
    const own = { ...payloads.own, id: 'true_123456789012345@lid_3EB0AA' };
    const ours = { SenderAlt: '15551230000@s.whatsapp.net', RecipientAlt: '15557654321@s.whatsapp.net' };
    expect(eventOf('message.any', { ...own, _data: { Info: ours } })).toMatchObject({
      message: { chatId: '123456789012345@lid', aliases: ['15557654321@c.us'] },
    });
  });

  test('our own addresses are never taken for an alias of somebody else', () => {
    const key = { remoteJidAlt: '15551230000@s.whatsapp.net' };
    const payload = { ...payloads.hiddenUser, _data: { key } };
    expect(eventOf('message.any', payload)).toMatchObject({ message: { aliases: [] } });
  });

  test('media that was downloaded has its address and an empty body', () => {
    expect(eventOf('message.any', payloads.media)).toMatchObject({
      message: {
        body: '',
        kind: 'image',
        hasMedia: true,
        media: { url: 'http://localhost:3000/api/files/default/true_AAA.jpg', mimeType: 'image/jpeg', error: null },
      },
    });
  });

  test('media that failed tells the fact and not the words', () => {
    expect(eventOf('message.any', payloads.mediaFailed)).toMatchObject({
      message: { body: 'a caption', hasMedia: true, media: { url: null, error: 'download_failed' } },
    });
  });

  test('media that was not downloaded by configuration is still media', () => {
    expect(eventOf('message.any', { ...payloads.media, media: null })).toMatchObject({
      message: { hasMedia: true, media: null, kind: 'other' },
    });
  });

  test.each(['status@broadcast', '120363000000000001@newsletter', '12345@broadcast'])('%s is ignored', (chat) => {
    const payload = { ...payloads.direct, id: `false_${chat}_3A01_15557654321@c.us` };
    expect(eventOf('message.any', payload)).toMatchObject({ kind: 'ignored' });
  });

  test('text that PostgreSQL cannot hold loses only what it cannot hold', () => {
    expect(eventOf('message.any', { ...payloads.direct, body: 'a\u0000b' })).toMatchObject({ message: { body: 'ab' } });
  });
});

describe('session status', () => {
  test('is dated by when the session reached it', () => {
    expect(eventOf('session.status', payloads.sessionStatus)).toEqual({
      kind: 'session',
      key: 'session:WORKING:1795226697306',
      status: 'WORKING',
      at: 1795226697306,
      me: { chatId: '15551230000@c.us', pushName: 'Test Account', lid: '99887766554433@lid' },
      platform: 'NOWEB',
    });
  });

  test('is dated by the event where the history lacks it, and knows no account before login', () => {
    const event = eventOf('session.status', { name: 'default', status: 'PASSKEY_REQUIRED' }, { me: null });
    expect(event).toMatchObject({ status: 'PASSKEY_REQUIRED', at: 1795226735662, me: null });
  });
});

describe('what a contact does besides writing', () => {
  test('types', () => {
    const typing = { kind: 'typing', chatId: '15557654321@c.us', isTyping: true };
    expect(eventOf('presence.update', presence)).toMatchObject(typing);
  });

  test.each([
    ['records', '15557654321@c.us', 'recording', { kind: 'typing', isTyping: true }],
    ['has stopped', '15557654321@c.us', 'paused', { kind: 'typing', isTyping: false }],
    ['is somebody of a group', '120363000000000000@g.us', 'typing', { kind: 'ignored', reason: 'presence' }],
  ])('%s', (_what, id, lastKnownPresence, event) => {
    expect(eventOf('presence.update', { id, presences: [{ participant: id, lastKnownPresence }] })).toMatchObject(
      event,
    );
  });
});

describe('everything else', () => {
  test.each(Object.entries(otherPayloads))('%s is ignored by name', (eventName, payload) => {
    expect(eventOf(eventName, payload)).toEqual({
      kind: 'ignored',
      key: `ignored:${eventName}:evt_01m7xxm51e71rnp2k2evbd4zh9`,
      reason: eventName,
    });
  });

  test('a body that is no event is told as such', () => {
    const reasonOf = (body: string) => {
      const parsed = parseBackendEvent(body);
      return parsed.outcome === 'unparseable' ? parsed.reason : 'parsed';
    };
    expect(reasonOf('')).toBe('not_json');
    expect(reasonOf('{"event":')).toBe('not_json');
    expect(reasonOf('null')).toBe('no_envelope');
    expect(reasonOf('[]')).toBe('no_envelope');
    expect(reasonOf('{"event":"message"}')).toBe('no_envelope');
    expect(reasonOf(envelope('message.any', null))).toBe('no_message_id');
    expect(reasonOf(envelope('message.ack', { id: 'nonsense', ack: 1 }))).toBe('no_message_id');
    expect(reasonOf(envelope('session.status', {}))).toBe('no_session_status');
    expect(reasonOf(envelope('session.status', { status: 'WORKING' }, { timestamp: null }))).toBe('no_session_status');
  });

  const kinds = fc.constantFrom('message', 'message.any', 'message.ack', 'message.ack.group', 'session.status', 'x');

  test('no bytes make it throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        parseBackendEvent(Buffer.from(bytes));
      }),
    );
  });

  test('no payload makes it throw', () => {
    fc.assert(
      fc.property(kinds, fc.jsonValue(), (eventName, payload) => {
        parseBackendEvent(envelope(eventName, payload));
      }),
    );
  });

  test('no odd value in a known field costs the message', () => {
    const fields = fc.constantFrom('timestamp', 'source', 'body', 'hasMedia', 'media', 'ack', 'participant', '_data');
    const more = fc.constantFrom('author', 'location', 'vCards', 'replyTo', 'from', 'to', 'fromMe');
    fc.assert(
      fc.property(fc.oneof(fields, more), fc.jsonValue(), (field, value) => {
        const event = eventOf('message.any', { ...payloads.direct, [field]: value });
        expect(event).toMatchObject({ kind: 'message', key: 'message:in:3A0000000000000000A1' });
      }),
      { numRuns: 500 },
    );
  });
});

describe('the events that the engine subscribes to', () => {
  test.each(BACKEND_EVENTS)('%s is read and not ignored', (eventName) => {
    const parsed = parseBackendEvent(envelope(eventName, {}));
    expect(parsed).not.toMatchObject({ event: { kind: 'ignored', reason: eventName } });
  });

  test('leave out message, under which each message would come a second time', () => {
    expect(BACKEND_EVENTS).toEqual(expect.arrayContaining(['message.any', 'message.ack', 'session.status']));
    expect(BACKEND_EVENTS).not.toContain('message');
  });
});
