import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { fill, languageOf, LANGUAGES, localeOf, t } from '../../../packages/console/parts/words/t.ts';
import { knownZone } from '../../../packages/console/parts/zone.ts';

const CONSOLE = fileURLToPath(new URL('../../../packages/console/', import.meta.url));

/** The English words are the keys, so they have no catalogue. */
const TRANSLATED = Object.keys(LANGUAGES).filter((language) => language !== 'en');

const wordsIn = (name: string): Record<string, string> =>
  JSON.parse(readFileSync(`${CONSOLE}words/${name}.json`, 'utf8'));
const catalogueOf = (language: string): Record<string, string> => ({
  ...wordsIn(language),
  ...wordsIn(`${language}.pages`),
});

const files = globSync('**/*.{ts,tsx}', { cwd: CONSOLE }).map((path) => ({
  path,
  text: readFileSync(`${CONSOLE}${path}`, 'utf8'),
}));

const CALLED = /\bt\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/g;

const sentencesIn = (given: readonly { text: string }[]): string[] =>
  [
    ...new Set(
      given.flatMap(({ text }) =>
        [...text.matchAll(CALLED)].map(([, single, double]) => (single ?? double ?? '').replaceAll("\\'", "'")),
      ),
    ),
  ].toSorted();
const sentences = sentencesIn(files);

const IMPORTED = /^(?:import|export)\b[^;]*?from '(\.[^']+)'/gm;

/** The files that come with these, by their static imports. */
const withImports = (entries: readonly string[]): typeof files => {
  const found = new Set<string>();
  const walk = (path: string): void => {
    const file = files.find((each) => each.path === path);
    if (!file || found.has(path)) return;
    found.add(path);
    for (const [, to = ''] of file.text.matchAll(IMPORTED)) walk(join(dirname(path), to));
  };
  entries.forEach(walk);
  return files.filter(({ path }) => found.has(path));
};

const placesOf = (sentence: string): string[] => [...sentence.matchAll(/\{\d\}/g)].map(([place]) => place).toSorted();

/** Names, codes and words that these languages share with English. */
const MAX_SHARED = 60;

/** A label that a page writes without its reader's words. */
const BARE = /\b(?:title|label|hint|caption|empty|placeholder|aria-label|done|head|yes|text)(?:=|: )["'][A-Z][a-z]+ /;

describe('the words of the console', () => {
  test.each(TRANSLATED)('are complete in %s, and no sentence is left over', (language) => {
    expect(Object.keys(catalogueOf(language)).toSorted()).toEqual(sentences);
  });

  test.each(TRANSLATED)(
    'come with the first view in %s if the inbox says them, and else with the other pages',
    (language) => {
      const early = sentencesIn(withImports(['main.tsx', 'pages/inbox/page.tsx']));
      expect(early.length).toBeGreaterThan(100);
      expect(Object.keys(wordsIn(language)).toSorted()).toEqual(early);
      expect(Object.keys(wordsIn(`${language}.pages`)).filter((sentence) => early.includes(sentence))).toEqual([]);
    },
  );

  test.each(TRANSLATED)('keep the places of their values in %s', (language) => {
    const wrong = Object.entries(catalogueOf(language)).filter(
      ([english, own]) => own.trim() === '' || placesOf(own).join('') !== placesOf(english).join(''),
    );
    expect(wrong).toEqual([]);
  });

  test.each(TRANSLATED)('are translated in %s', (language) => {
    const same = Object.entries(catalogueOf(language)).filter(([english, own]) => own === english);
    expect(same.length).toBeLessThan(MAX_SHARED);
    expect(same.filter(([english]) => english.split(' ').length > 3)).toEqual([]);
  });

  test('are no labels that only English readers understand', () => {
    const bare = files.flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => (BARE.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
    );
    expect(bare).toEqual([]);
  });

  test('take their values, and leave the braces of placeholders alone', () => {
    expect(t('Table: {0}', 'Keys')).toBe('Table: Keys');
    expect(fill('{1} before {0}', ['a', '{0}'])).toBe('{0} before a');
    expect(fill('{first_name} {0}', [7])).toBe('{first_name} 7');
  });
});

describe('the language of a reader', () => {
  test('is their choice, or else the first that the console has', () => {
    expect(languageOf(null, ['fr-FR', 'pt-BR', 'de'])).toBe('pt');
    expect(languageOf('nl', ['de-AT'])).toBe('nl');
    expect(languageOf('xx', ['ja'])).toBe('en');
  });

  test('has dates of the country that the browser names', () => {
    expect(localeOf('de', ['de', 'de-AT'])).toBe('de-AT');
    expect(localeOf('nl', ['de-AT'])).toBe('nl');
    expect(localeOf('en', ['de'])).toBe('en-GB');
    expect(localeOf('en', ['en-US', 'en'])).toBe('en-US');
  });
});

describe('the time zone of a tenant', () => {
  test('is used if this browser knows it', () => {
    expect(knownZone('Asia/Tokyo')).toBe('Asia/Tokyo');
    expect(knownZone('Mars/Olympus')).toBeUndefined();
    expect(knownZone(null)).toBeUndefined();
  });
});
