import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { splitReply } from '../../../domain/agent/reply/split.ts';

const sentences = (count: number) =>
  Array.from({ length: count }, (_, index) => `This is sentence number ${index} about a boat.`).join(' ');

describe('a reply as people write it', () => {
  it('is one message when it is short, with its lines as they are', () => {
    expect(splitReply('Yes, two boats.')).toEqual(['Yes, two boats.']);
    expect(splitReply('Hi!\n\nYes, two boats.\n- red\n- blue')).toEqual(['Hi!\n\nYes, two boats.\n- red\n- blue']);
  });

  it('is nothing when it is empty', () => expect(splitReply(' \n ')).toEqual([]));

  it('is a message for each long paragraph', () => {
    const [first, second] = [sentences(6), sentences(7)];
    expect(splitReply(`${first}\n\n${second}`)).toEqual([first, second]);
  });

  it('ends its messages with sentences where a paragraph is too long', () => {
    const parts = splitReply(sentences(20));
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) {
      expect(part.length).toBeLessThanOrEqual(400);
      expect(part).toMatch(/^This .*boat\.$/);
    }
  });

  it('is never more than four messages', () => expect(splitReply(sentences(80)).length).toBe(4));

  it('keeps a list in one piece, with what announces it', () => {
    const list = Array.from({ length: 12 }, (_, index) => `- boat number ${index}, blue, with a sail and an anchor`);
    const parts = splitReply(`${sentences(8)}\n\nThese are here:\n\n${list.join('\n\n')}\n\nWhich one?`);
    expect(parts.some((part) => part.startsWith('These are here:') && part.includes('number 11'))).toBe(true);
  });

  it('does not end after an abbreviation', () => {
    const text = `${sentences(8)} Ask for Mr. Smith, no. 12. ${sentences(8)}`;
    for (const part of splitReply(text)) expect(part).not.toMatch(/(Mr|no)\.$/);
  });

  it('loses nothing but white space, keeps the order, breaks no link and has no empty part', () => {
    const word = fc.constantFrom(
      'boat',
      'https://example.com/a.b?c=d!e',
      'Yes.',
      '- item',
      '1. one',
      '\n',
      '\n\n',
      'really?',
      'x'.repeat(60),
      '你好。',
      'Mr.',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 200 }), (words) => {
        const text = words.join(' ');
        const parts = splitReply(text);
        expect(parts.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
        expect(parts.length).toBeLessThanOrEqual(4);
        for (const part of parts) {
          expect(part.trim()).not.toBe('');
          expect(part).not.toMatch(/^(ttps|a\.b|\?c=d)/);
        }
        const links = (whole: string) => whole.split('https://example.com/a.b?c=d!e').length - 1;
        expect(parts.map(links).reduce((sum, count) => sum + count, 0)).toBe(links(text));
      }),
      { numRuns: 500 },
    );
  });
});
