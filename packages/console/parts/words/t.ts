import type german from '../../words/de.json';
import type ofPages from '../../words/de.pages.json';
import { readKept } from '../kept.ts';

/** The languages of the console, each by its own name. */
export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  pt: 'Português',
  nl: 'Nederlands',
} as const;
export type Language = keyof typeof LANGUAGES;

/** The English words are the names of the others, so English needs no catalogue. */
export type Words = keyof typeof german | keyof typeof ofPages;
type Catalogue = Readonly<Record<string, string>>;

/** The reader's choice in this browser. */
export const LANGUAGE_KEPT = 'engine-console-language';

const isLanguage = (name: string): name is Language => Object.hasOwn(LANGUAGES, name);
const baseOf = (tag: string): string => tag.toLowerCase().split('-')[0] ?? '';

/** The first language of the reader that the console has. */
export const languageOf = (kept: string | null, tags: readonly string[]): Language =>
  [kept ?? '', ...tags.map(baseOf)].find(isLanguage) ?? 'en';

/** The reader's form of dates and numbers, such as Austria's. The console's own English is British. */
export const localeOf = (language: Language, tags: readonly string[]): string =>
  tags.find((tag) => baseOf(tag) === language && tag !== language) ?? (language === 'en' ? 'en-GB' : language);

/** Reads the words of the first view: those of the inbox and of all that each page shares. */
const firstOf = async (language: Language): Promise<Catalogue | null> => {
  switch (language) {
    case 'de':
      return (await import('../../words/de.json', { with: { type: 'json' } })).default;
    case 'es':
      return (await import('../../words/es.json', { with: { type: 'json' } })).default;
    case 'pt':
      return (await import('../../words/pt.json', { with: { type: 'json' } })).default;
    case 'nl':
      return (await import('../../words/nl.json', { with: { type: 'json' } })).default;
    default:
      return null;
  }
};

/** Reads the words that only the other pages have. The first view comes sooner without them. */
const pagesOf = async (language: Language): Promise<Catalogue | null> => {
  switch (language) {
    case 'de':
      return (await import('../../words/de.pages.json', { with: { type: 'json' } })).default;
    case 'es':
      return (await import('../../words/es.pages.json', { with: { type: 'json' } })).default;
    case 'pt':
      return (await import('../../words/pt.pages.json', { with: { type: 'json' } })).default;
    case 'nl':
      return (await import('../../words/nl.pages.json', { with: { type: 'json' } })).default;
    default:
      return null;
  }
};

// Tests run without a page, and read English on every machine.
const tags: readonly string[] = 'document' in globalThis ? navigator.languages : [];
export const language: Language = languageOf(readKept(LANGUAGE_KEPT), tags);
export const locale: string = localeOf(language, tags);

// Tables of words are made when their modules load, so no module may load before the catalogue.
const first = await firstOf(language).catch(() => null);
let further: Catalogue | null = null;

/** Loads a page after its words. Without them, it is in English. */
export const withWords =
  <T>(load: () => Promise<T>) =>
  async (): Promise<T> => {
    further ??= await pagesOf(language).catch(() => null);
    return load();
  };

/** Puts values into the places of a sentence: {0} is the first. */
export const fill = (sentence: string, values: readonly (string | number)[]): string =>
  values.length === 0
    ? sentence
    : sentence.replaceAll(/\{(\d)\}/g, (whole, place: string) => String(values[Number(place)] ?? whole));

/** The reader's words for an English sentence. */
export const t = (words: Words, ...values: readonly (string | number)[]): string =>
  fill(first?.[words] ?? further?.[words] ?? words, values);
