import { describe, expect, test } from '@jest/globals';
import { emojiFor } from '../../../packages/console/pages/inbox/compose/emoji-list.ts';
import { isSend } from '../../../packages/console/pages/inbox/compose/is-send.ts';
import { filled, openIn, textOf, valuesOf } from '../../../packages/console/pages/inbox/compose/placeholders.ts';
import { activeAtFirst, matching, replaced, slashAt } from '../../../packages/console/pages/inbox/compose/slash.ts';

describe('a slash in an answer', () => {
  test('begins a shortcut at the start of a word, up to the caret', () => {
    expect(slashAt('/', 1)).toEqual({ start: 0, end: 1, word: '' });
    expect(slashAt('Hi /Hou and more', 7)).toEqual({ start: 3, end: 7, word: 'hou' });
    expect(slashAt('Line\n/x', 7)).toEqual({ start: 5, end: 7, word: 'x' });
  });

  test('begins none within a date, an address, or before the caret’s word', () => {
    for (const text of ['1/2', 'https://a.test/b', 'and/or', '/hours now']) {
      expect(slashAt(text, text.length)).toBeUndefined();
    }
  });

  test('gives way to the answer, and the caret stands behind it', () => {
    expect(replaced('Hi /hou!', { start: 3, end: 7 }, 'nine')).toEqual({ text: 'Hi nine!', caret: 7 });
  });

  test('finds answers by their shortcut first, and then by their words', () => {
    const answers = [
      { shortcut: 'bank', text: 'Our hours are no secret' },
      { shortcut: 'hours', text: 'Nine to six' },
      { shortcut: 'thanks', text: 'Thank you' },
    ];
    expect(matching(answers, 'hour').map(({ shortcut }) => shortcut)).toEqual(['hours', 'bank']);
    expect(matching(answers, '')).toHaveLength(3);
    // Enter takes none of those that only contain the word.
    expect([activeAtFirst(matching(answers, 'hour'), 'hour'), activeAtFirst(matching(answers, 'to'), 'to')]).toEqual([
      0, -1,
    ]);
    expect(activeAtFirst([], '')).toBe(-1);
  });
});

describe('a placeholder of an answer', () => {
  const values = valuesOf({ name: 'Ada Okafor', pushName: null, phone: '15550101950' }, 'Maria');

  test('becomes what is known of the contact, and what was filled in is told apart', () => {
    const pieces = filled('Hello {first_name} ({phone}), {me}', values);
    expect(textOf(pieces)).toBe('Hello Ada (+15550101950), Maria');
    expect(pieces.filter(({ kind }) => kind === 'filled').map(({ text }) => text)).toEqual([
      'Ada',
      '+15550101950',
      'Maria',
    ]);
  });

  test('stays and is named if nothing is known, and other braces are words', () => {
    const nobody = valuesOf({ name: null, pushName: null, phone: null }, '');
    const text = textOf(filled('Hello {name}, {order} and {name}', nobody));
    expect(text).toBe('Hello {name}, {order} and {name}');
    expect(openIn(text)).toEqual(['{name}']);
    expect(valuesOf(undefined, '')).toEqual({});
  });
});

describe('Enter', () => {
  const press = { key: 'Enter', ctrlKey: false, metaKey: false, shiftKey: false, isComposing: false, keyCode: 13 };

  test('sends by choice alone, Ctrl+Enter always, and no input method sends', () => {
    expect([isSend(press, false), isSend(press, true)]).toEqual([false, true]);
    expect([isSend({ ...press, ctrlKey: true }, false), isSend({ ...press, metaKey: true }, true)]).toEqual([
      true,
      true,
    ]);
    expect(isSend({ ...press, shiftKey: true }, true)).toBe(false);
    expect(isSend({ ...press, isComposing: true }, true)).toBe(false);
    // Safari says it by the code of the key alone.
    expect(isSend({ ...press, keyCode: 229 }, true)).toBe(false);
  });
});

describe('an emoji', () => {
  test('is found by the beginnings of its words', () => {
    expect(emojiFor('thank')[0]?.emoji).toBe('🙏');
    expect(emojiFor('heart gre').map(({ emoji }) => emoji)).toEqual(['💚']);
    expect(emojiFor('no such thing')).toEqual([]);
    expect(new Set(emojiFor('').map(({ emoji }) => emoji)).size).toBe(emojiFor('').length);
  });
});
