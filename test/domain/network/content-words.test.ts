import { expect, it } from '@jest/globals';
import { contentInWords } from '../../../domain/network/content-words.ts';
import type { NetworkContent } from '../../../domain/network/message-content.ts';

const place = { latitude: 52.5, longitude: 13.4, name: 'Shop', address: null, url: null, live: false };
const card = {
  name: 'Ann',
  organization: null,
  phones: [{ number: '+1 555 0100', phone: null }],
  emails: [],
  vcard: '',
};

it.each<[string | null, NetworkContent]>([
  ['location: Shop, 52.5, 13.4', { location: place }],
  ['live location: Shop, 52.5, 13.4', { location: { ...place, live: true } }],
  ['contact card: Ann +1 555 0100', { contacts: [card] }],
  ['poll with the answers red / blue', { poll: { name: '', options: ['red', 'blue'], multipleAnswers: false } }],
  ['video call that nobody took', { call: { status: 'received', isVideo: true, isGroup: false } }],
  ['file to be seen once, which only the phone shows', { viewOnce: true }],
  [null, {}],
])('a model reads "%s"', (words, content) => {
  expect(contentInWords(content)).toBe(words);
});
