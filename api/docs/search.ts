import { editsAllowed, editsBetween } from '../../domain/words/edits-between.ts';
import type { Place } from './library.ts';

const MAX_WORDS = 8;
const MAX_FOUND = 25;
const EXCERPT_BEFORE = 60;
const EXCERPT_LENGTH = 220;
const IN_TITLE = 20;
/** A decision has a whole sentence as its title, so that a word in it says little. */
const IN_BACKGROUND_TITLE = 1;
/** The words stand together, as they were asked for. */
const AS_ASKED = 10;
const MAX_COUNTED = 5;

export interface Found {
  place: Place;
  excerpt: string;
}

/** Finds the places that have all the words, those first that have them in their title or often. */
export function search(places: readonly Place[], query: string): Found[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  return places
    .map((place) => ({ place, score: scoreOf(place, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_FOUND)
    .map(({ place }) => ({ place, excerpt: excerptOf(place.text, words) }));
}

function wordsOf(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
}

/** 0 where a word is missing. */
function scoreOf({ title, text, isBackground }: Place, words: string[]): number {
  const [inTitle, inText] = [title.toLowerCase(), text.toLowerCase()];
  const titled = isBackground ? IN_BACKGROUND_TITLE : IN_TITLE;
  const scores = words.map((word) => {
    const often = Math.min(inText.split(word).length - 1, MAX_COUNTED);
    return (inTitle.includes(word) ? titled : 0) + often;
  });
  if (scores.includes(0)) return 0;
  const together = words.join(' ');
  const asAsked = [inTitle.includes(together) ? titled : 0, inText.includes(together) ? AS_ASKED : 0];
  const score = [...scores, ...(words.length > 1 ? asAsked : [])].reduce((sum, each) => sum + each, 0);
  return isBackground ? score / 2 : score;
}

/** Shows the text around the first of the words. */
function excerptOf(text: string, words: string[]): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((index) => index >= 0);
  const from = Math.max(0, Math.min(...places, lower.length) - EXCERPT_BEFORE);
  const excerpt = text.slice(from, from + EXCERPT_LENGTH).trim();
  return `${from > 0 ? '… ' : ''}${excerpt}${from + EXCERPT_LENGTH < text.length ? ' …' : ''}`;
}

/** A word of a search that stands nowhere, and the word of the guides that is nearest to it, if one is near. */
export interface UnknownWord {
  word: string;
  near: string | null;
}

/** Lists the words of a search that stand nowhere. */
export function unknownWords(places: readonly Place[], query: string): UnknownWord[] {
  const text = places.map((place) => `${place.title} ${place.text}`.toLowerCase()).join('\n');
  const unknown = wordsOf(query).filter((word) => !text.includes(word));
  if (unknown.length === 0) return [];
  const counts = new Map<string, number>();
  for (const [word] of text.matchAll(WORD)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return unknown.map((word) => ({ word, near: nearestOf(word, counts) }));
}

/** Shorter words are near to too many. */
const WORD = /\p{L}{4,40}/gu;

/** The word that differs least, and of several the one that stands there most often. */
function nearestOf(word: string, counts: ReadonlyMap<string, number>): string | null {
  const most = editsAllowed(word.length);
  const [nearest] = [...counts]
    .filter(([known]) => Math.abs(known.length - word.length) <= most)
    .map(([known, count]) => ({ known, count, edits: editsBetween(word, known) }))
    .filter(({ edits }) => edits <= most)
    .toSorted((a, b) => a.edits - b.edits || b.count - a.count);
  return nearest?.known ?? null;
}
