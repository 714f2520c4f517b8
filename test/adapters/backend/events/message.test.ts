import { describe, expect, test } from '@jest/globals';
import { toNetworkMessage } from '../../../../adapters/backend/events/message.ts';
import { payloads } from './contract-payloads.ts';

const bare = { ...payloads.direct, _data: {} };

function kindOf(over: Record<string, unknown>): string | undefined {
  return toNetworkMessage({ ...bare, ...over })?.kind;
}

function media(mimetype: string | null) {
  return { hasMedia: true, body: '', media: { url: 'http://x/y', mimetype, filename: null, error: null } };
}

describe('what kind a message is', () => {
  test.each([
    ['image/jpeg', 'image'],
    ['image/webp', 'sticker'],
    ['video/mp4', 'video'],
    ['audio/ogg; codecs=opus', 'audio'],
    ['application/pdf', 'document'],
    ['text/plain', 'document'],
    [null, 'other'],
  ])('media of type %s', (mimetype, kind) => {
    expect(kindOf(media(mimetype))).toBe(kind);
  });

  test.each([
    ['conversation', 'text'],
    ['extendedTextMessage', 'text'],
    ['imageMessage', 'image'],
    ['ptvMessage', 'video'],
    ['audioMessage', 'audio'],
    ['documentMessage', 'document'],
    ['stickerMessage', 'sticker'],
    ['liveLocationMessage', 'location'],
    ['contactsArrayMessage', 'contact'],
  ])('the network calls it %s', (name, kind) => {
    const content = { messageContextInfo: {}, [name]: { text: 'x' } };
    expect(kindOf({ _data: { message: content } })).toBe(kind);
    expect(kindOf({ _data: { Message: content } })).toBe(kind);
    expect(kindOf({ _data: { message: { ephemeralMessage: { message: content } } } })).toBe(kind);
  });

  test('a document that is an image by type stays a document', () => {
    expect(kindOf({ ...media('image/png'), _data: { message: { documentMessage: {} } } })).toBe('document');
  });

  test.each([
    ['chat', 'text'],
    ['ptt', 'audio'],
    ['vcard', 'contact'],
    ['toString', 'text'],
  ])('WEBJS calls it %s', (type, kind) => {
    expect(kindOf({ _data: { type } })).toBe(kind);
  });

  test('a place and a card are told by their own fields', () => {
    expect(kindOf({ location: { latitude: 1, longitude: 2 }, body: '' })).toBe('location');
    expect(kindOf({ vCards: ['BEGIN:VCARD'] })).toBe('contact');
    expect(kindOf({ vCards: [] })).toBe('text');
  });

  test('nothing to read and nothing attached is other', () => {
    expect(kindOf({ body: null })).toBe('other');
  });
});

describe('which message it is', () => {
  test.each([
    ['a string', 'true_15557654321@c.us_3EB0AA'],
    [
      'an object',
      { fromMe: true, remote: '15557654321@c.us', id: '3EB0AA', _serialized: 'true_15557654321@c.us_3EB0AA' },
    ],
    ['an object with another name for the whole', { $1: 'true_15557654321@c.us_3EB0AA' }],
    ['an object of parts', { fromMe: true, remote: { _serialized: '15557654321@c.us' }, id: '3EB0AA' }],
    ['the internal spelling', 'true_15557654321:12@s.whatsapp.net_3EB0AA'],
  ])('%s', (_title, id) => {
    expect(toNetworkMessage({ ...bare, id, fromMe: false })).toMatchObject({
      networkId: '3EB0AA',
      chatId: '15557654321@c.us',
      fromMe: true,
    });
  });

  test.each([
    ['nothing', undefined],
    ['a number', 7],
    ['a bare id', '3EB0AA'],
    ['no address', 'true_x_3EB0AA'],
    ['a part', {}],
  ])('%s says nothing', (_title, id) => {
    expect(toNetworkMessage({ ...bare, id })).toBeNull();
  });

  test('a suffix that is no address is no participant', () => {
    const id = 'true_120363000000000000@g.us_3EB0AA_out';
    expect(toNetworkMessage({ ...bare, id })).toMatchObject({ networkId: '3EB0AA', participant: null });
  });
});

test('a time may be a fraction, text, milliseconds, elsewhere or missing', () => {
  const at = (timestamp: unknown, _data: unknown = {}) => toNetworkMessage({ ...bare, timestamp, _data })?.timestamp;
  expect(at(1710481111.853)).toBe(1710481111);
  expect(at('1795226701')).toBe(1795226701);
  expect(at(1795226735662)).toBe(1795226735);
  expect(at(null, { messageTimestamp: '1795226701' })).toBe(1795226701);
  expect(at(undefined)).toBe(0);
  expect(toNetworkMessage({ ...bare, timestamp: null }, { receivedAt: 1795226735662 })?.timestamp).toBe(1795226735);
});

describe('how long a voice message is', () => {
  test.each([
    ['NOWEB', { message: { audioMessage: { seconds: 12 } } }, 12],
    ['GOWS', { Message: { ephemeralMessage: { message: { audioMessage: { seconds: '7' } } } } }, 7],
    ['WEBJS', { type: 'ptt', duration: '4' }, 4],
    ['nobody', { type: 'ptt' }, undefined],
  ])('is told by %s', (_engine, data, seconds) => {
    expect(toNetworkMessage({ ...bare, ...media('audio/ogg'), _data: data })?.media?.seconds).toBe(seconds);
  });
});
