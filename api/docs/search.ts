import type { Place } from './library.ts';

const MAX_WORDS = 8;
const MAX_FOUND = 25;
const EXCERPT_BEFORE = 60;
const EXCERPT_LENGTH = 220;
const IN_TITLE = 20;
const MAX_COUNTED = 5;

export interface Found {
  place: Place;
  excerpt: string;
}

/** Finds the places that have all the words, those first that have them in their title or often. */
export function search(places: readonly Place[], query: string): Found[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
  if (words.length === 0) return [];
  return places
    .map((place) => ({ place, score: scoreOf(place, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_FOUND)
    .map(({ place }) => ({ place, excerpt: excerptOf(place.text, words) }));
}

/** 0 where a word is missing. */
function scoreOf({ title, text }: Place, words: string[]): number {
  const [inTitle, inText] = [title.toLowerCase(), text.toLowerCase()];
  const scores = words.map((word) => {
    const often = Math.min(inText.split(word).length - 1, MAX_COUNTED);
    return (inTitle.includes(word) ? IN_TITLE : 0) + often;
  });
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score);
}

/** Shows the text around the first of the words. */
function excerptOf(text: string, words: string[]): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((index) => index >= 0);
  const from = Math.max(0, Math.min(...places, lower.length) - EXCERPT_BEFORE);
  const excerpt = text.slice(from, from + EXCERPT_LENGTH).trim();
  return `${from > 0 ? '… ' : ''}${excerpt}${from + EXCERPT_LENGTH < text.length ? ' …' : ''}`;
}
