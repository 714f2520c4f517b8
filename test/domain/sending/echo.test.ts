import { describe, expect, it } from '@jest/globals';
import { canBeEchoOf } from '../../../domain/sending/echo.ts';

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
});
