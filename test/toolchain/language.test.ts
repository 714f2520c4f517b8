import { describe, expect, it } from '@jest/globals';
import { checkLanguage } from '../../tools/language/check.ts';
import { literalsOf } from '../../tools/language/literals.ts';
import { proseOf } from '../../tools/language/prose.ts';
import { RULE_NAMES, RULES } from '../../tools/language/rules.ts';
import type { RuleName } from '../../tools/language/rules.ts';
import { readingEase, sentencesOf, syllablesOf, wordsOf } from '../../tools/language/sentences.ts';
import { GROUPS, readTexts } from '../../tools/language/texts.ts';

const texts = readTexts();
const long = (words: number): string => `The engine${' sends'.repeat(words - 2)}.`;

/** The least that each rule refuses, its advice, and the most that it accepts. */
const FAULTS: { rule: RuleName; refused: string[]; says: RegExp; passes: string[] }[] = [
  {
    rule: 'phrase',
    refused: [
      'The endpoint is told of the event.',
      'It GOES ON later.',
      'Nothing is sent in vain.',
      'Mend the address.',
    ],
    says: /^"[^"]+": write "[^"]+"$/,
    passes: ['The endpoint receives the event.', 'Null if there is none.', 'Call `goes on` here.', 'The outdoors.'],
  },
  {
    rule: 'opening',
    refused: ['What it can.', 'It works. Whose key is it?', '**Where** it is.', 'Of the votes, ten count.'],
    says: /opens with a question word/,
    passes: ['The key of the session.', 'It is what you send.', 'Whether it runs.', 'Offer it.'],
  },
  { rule: 'long', refused: [long(26)], says: / has 26 words: write at most 25$/, passes: [long(25)] },
  {
    rule: 'term',
    refused: ['Scan the QR-code.', 'It uses Postgres.', 'Set the timezone.'],
    says: /^"[^"]+": write "[^"]+"$/,
    passes: ['Scan the QR code.', 'It uses PostgreSQL.', 'Set the `timezone`.', 'See https://a.example/typescript/x.'],
  },
];

describe('the language check', () => {
  it('tries each rule here', () => {
    expect(FAULTS.map(({ rule }) => rule)).toEqual([...RULE_NAMES]);
    expect(Object.keys(RULES)).toEqual([...RULE_NAMES]);
  });

  describe.each(FAULTS)('by the rule "$rule"', ({ rule, refused, says, passes }) => {
    it.each(refused)('refuses: %s', (text) => {
      const [fault] = RULES[rule](text);
      expect(fault).toMatch(says);
    });

    it.each(passes)('accepts: %s', (text) => {
      expect(RULES[rule](text)).toEqual([]);
    });
  });

  it('reads every group', () => {
    for (const group of GROUPS) expect(texts[group].length).toBeGreaterThan(20);
  });

  it.each(GROUPS)('finds a fault planted in %s', (group) => {
    const [clean] = checkLanguage({ ...texts, [group]: [] }).filter((each) => each.group === group);
    expect(clean?.found).toEqual([]);
    const planted = { ...texts, [group]: [{ place: 'here', text: 'It goes on.' }] };
    const [verdict] = checkLanguage(planted).filter((each) => each.group === group);
    expect(verdict?.found).toEqual(['here: "goes on": write "continues".']);
  });

  it.each(checkLanguage(texts))('holds for $group by the rule "$rule"', ({ found, limit }) => {
    expect(found.length > limit ? found : []).toEqual([]);
  });
});

describe('prose', () => {
  it('of a page has neither code nor tables, and keeps its lines', () => {
    const page = [
      '# Title',
      '',
      'One [link](a.md),',
      'two lines.',
      '',
      '```sh',
      'goes on',
      '```',
      '| a |',
      '- An item',
    ];
    expect(proseOf(page.join('\n'))).toEqual([
      { line: 1, text: 'Title' },
      { line: 3, text: 'One link, two lines.' },
      { line: 10, text: 'An item' },
    ]);
  });

  it('of a program has no comments, and joins what the code joins', () => {
    const code = "// It's not said here.\nsay('Start the engine' +\n  ` at ${port} now.`);\nimport a from 'a.ts';";
    expect(literalsOf(code)).toEqual([{ line: 2, text: 'Start the engine at 1 now.' }]);
  });

  it('is counted by sentences, words and syllables', () => {
    expect(sentencesOf('Use 1.5 MB, e.g. for a file. Then stop!\n\nNext')).toHaveLength(3);
    expect(wordsOf('The `a b c` is — one word.')).toHaveLength(5);
    expect(['the', 'engine', 'messages', 'table', 'stopped', 'ideas'].map(syllablesOf)).toEqual([1, 2, 3, 2, 1, 2]);
  });

  it('is easy to read in short sentences of short words', () => {
    expect(readingEase(['The cat sat. The dog ran.'])).toBeGreaterThan(100);
    expect(readingEase(['Organisational responsibilities necessitate comprehensive documentation.'])).toBeLessThan(0);
    expect(readingEase([])).toBeNull();
  });
});
