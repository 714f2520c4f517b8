import { describe, expect, it } from '@jest/globals';
import type { NetworkKind } from '../../../domain/network/network-event.ts';
import type { MessageContent } from '../../../domain/sending/content.ts';
import { canBeEchoOf, goesUnderItsId, isToldByWords } from '../../../domain/sending/echo.ts';

const buttons = { buttons: { buttons: [{ type: 'reply' as const, text: 'Yes' }] } };

describe('an own message of the network', () => {
  it.each([
    ['text', 'hello', 'text', 'hello', true],
    ['text', 'hello', 'text', 'hello ', false],
    ['text', 'hello', 'image', 'hello', false],
    ['text', 'hello', 'other', 'hello', false],
    ['image', '', 'image', '', true],
    ['image', '', 'sticker', '', true],
    ['image', 'a', 'image', '', false],
    ['image', '', 'text', '', false],
    ['audio', '', 'document', '', true],
    ['audio', '', 'other', '', true],
    ['document', 'offer', 'document', 'offer', true],
    ['document', 'offer', 'image', 'offer', false],
  ] as const)('sent as %s "%s" and shown as %s "%s" is that send: %s', (kind, body, shown, shownBody, is) => {
    expect(canBeEchoOf({ kind: shown, body: shownBody }, { kind, body, content: null })).toBe(is);
  });

  it.each([
    ['text', 'Sure?\n\n1. Yes', true],
    ['text', 'Sure?\n[Yes]', true],
    ['text', 'Yes', false],
    ['other', '', true],
    ['image', 'Sure?', false],
  ] as const)('of buttons, shown as %s "%s": %s', (kind, body, is) => {
    expect(canBeEchoOf({ kind, body }, { kind: 'buttons', body: 'Sure?', content: buttons })).toBe(is);
  });

  it('of buttons without a text above them is known by all its words', () => {
    const sent = { kind: 'buttons', body: '', content: buttons };
    expect(canBeEchoOf({ kind: 'text', body: '1. Yes' }, sent)).toBe(true);
    expect(canBeEchoOf({ kind: 'text', body: 'hello' }, sent)).toBe(false);
  });

  it('of a list without a description is known by its title, though its rows are worded otherwise', () => {
    const list = { title: 'Times', button: 'Choose', sections: [{ title: '', rows: [{ title: '9:00', rowId: '9' }] }] };
    const sent = { kind: 'list', body: '', content: { list } };
    expect(canBeEchoOf({ kind: 'text', body: 'Times\n[Choose]' }, sent)).toBe(true);
    expect(canBeEchoOf({ kind: 'text', body: 'hello' }, sent)).toBe(false);
  });

  const place = { latitude: 1.5, longitude: 2.5, name: 'Shop', address: null, url: null, live: false };
  const poll = { name: 'When?', options: ['Mon', 'Tue'], multipleAnswers: false };
  const forward = { messageId: 'm', networkId: 'N', fromMe: true, chatId: '1@c.us', participant: null, kind: 'image' };
  it.each<[string, MessageContent, NetworkKind, string, boolean]>([
    ['location', { location: place }, 'location', '', true],
    ['location', { location: place }, 'other', '', true],
    ['location', { location: place }, 'text', 'Shop', false],
    ['contact', { contacts: [] }, 'contact', 'BEGIN:VCARD', true],
    ['contact', { contacts: [] }, 'location', '', false],
    ['other', { poll }, 'poll', '', true],
    ['other', { poll }, 'text', 'When?', true],
    ['other', { poll }, 'text', 'Who?', false],
    ['other', { forward }, 'image', 'in other words', true],
    ['other', { forward }, 'document', '', true],
    ['other', { forward }, 'text', '', false],
  ])('of the kind %s with %j may be shown as %s "%s": %s', (kind, content, shown, body, is) => {
    const sent = { kind, body: 'poll' in content ? 'When?' : 'Shop', content };
    expect(canBeEchoOf({ kind: shown, body }, sent)).toBe(is);
  });

  it('of the kinds that engines word for themselves is looked for in its own chat alone, unless it has its id', () => {
    const send = { kind: 'location', body: 'Shop', content: { location: place } };
    expect(isToldByWords({ body: 'Shop' }, send)).toBe(false);
    expect(isToldByWords({ body: 'Shop' }, { kind: 'text' })).toBe(true);
    expect(goesUnderItsId({ ...send, chosenNetworkId: '3EB0' })).toBe(true);
    expect(goesUnderItsId({ kind: 'other', content: { poll }, chosenNetworkId: '3EB0' })).toBe(true);
    expect(goesUnderItsId({ kind: 'other', content: null, chosenNetworkId: '3EB0' })).toBe(false);
  });
});
