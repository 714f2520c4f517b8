import { LinkifyIt } from 'linkify-it';

/** A part of a text: words, or what a mark or a link encloses. */
export type Part =
  | { kind: 'words'; text: string }
  | { kind: 'link'; text: string; to: string }
  | { kind: 'code'; mark: string; text: string }
  | { kind: 'bold' | 'italic' | 'struck'; mark: string; parts: Part[] };

/** The network's own marks. Each stands at the edge of a word, and encloses no blank at its own edges. */
const MARKS = { '*': 'bold', _: 'italic', '~': 'struck' } as const;
type Mark = keyof typeof MARKS;
const isMark = (sign: string | undefined): sign is Mark => sign !== undefined && sign in MARKS;

/** Code comes first: within it no mark counts. `\x60` is the sign that encloses code. */
const FOUND = new RegExp(
  [
    String.raw`(?<code>(?<fence>\x60{3}|\x60)(?<raw>[^\x60]{1,1024}?)\k<fence>)`,
    String.raw`(?<![\p{L}\p{N}*_~])(?<mark>[*_~])(?=\S)`,
  ].join('|'),
  'gu',
);

/** A mark that may close, or the end of a line, across which none does. */
const CLOSING = /(?<=\S)(?<mark>[*_~])(?![\p{L}\p{N}*_~])|\n/gu;

/**
 * Finds closing marks for opening ones that come in the order of the text. It walks the text once in all: a search for
 * each opening mark would let a stranger's text of nothing but those block the page.
 */
class Closings {
  readonly #at: Readonly<Record<Mark, { at: number; closes: boolean }[]>> = { '*': [], _: [], '~': [] };
  readonly #next: Record<Mark, number> = { '*': 0, _: 0, '~': 0 };
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    for (const { index, groups } of text.matchAll(CLOSING)) {
      const mark = groups?.['mark'];
      if (isMark(mark)) this.#at[mark].push({ at: index, closes: true });
      else for (const each of Object.values(this.#at)) each.push({ at: index, closes: false });
    }
  }

  /** Returns the place at which the mark that opens at `from` closes; undefined if it marks nothing. */
  of(mark: Mark, from: number): number | undefined {
    const stops = this.#at[mark];
    // Between the two is at least one sign, and not only a mark.
    const first = isMark(this.#text[from + 1]) ? from + 3 : from + 2;
    while ((stops[this.#next[mark]]?.at ?? Infinity) <= from) this.#next[mark] += 1;
    const stop = stops.slice(this.#next[mark], this.#next[mark] + 3).find(({ at, closes }) => !closes || at >= first);
    return stop?.closes === true ? stop.at : undefined;
  }
}

/** Web and mail addresses, also without their scheme. `ftp:` and `//` begin paths in a chat more often than links. */
const linkifier = new LinkifyIt({ fuzzyLink: true }).add('ftp:', null).add('//', null);

/** A mark after an address closes, and code after it begins: neither belongs to the address. */
const AFTER_LINK = /(?<![*_~])[*_~]+$|\x60.*$/u;

interface Link {
  from: number;
  text: string;
  to: string;
}

const linksOf = (text: string): Link[] =>
  (linkifier.match(text) ?? []).map(({ index, raw, url }) => {
    const after = AFTER_LINK.exec(raw)?.[0].length ?? 0;
    return { from: index, text: raw.slice(0, raw.length - after), to: url.slice(0, url.length - after) };
  });

/** Marks lie within others so deep; a text of nothing but marks would else exhaust the stack. */
const MAX_DEPTH = 3;

const within = (text: string, depth: number): Part[] => {
  if (depth > MAX_DEPTH) return [{ kind: 'words', text }];
  const parts: Part[] = [];
  const closings = new Closings(text);
  let end = 0;
  const add = (part: Part, from: number, to: number): void => {
    if (from > end) parts.push({ kind: 'words', text: text.slice(end, from) });
    parts.push(part);
    end = to;
  };
  const links = linksOf(text).values();
  let next = links.next().value;
  /** Adds the links before a place. One that begins within code or a mark is a part of that. */
  const addLinks = (until: number): void => {
    for (; next !== undefined && next.from < until; next = links.next().value)
      if (next.from >= end)
        add({ kind: 'link', text: next.text, to: next.to }, next.from, next.from + next.text.length);
  };
  const search = new RegExp(FOUND);
  for (let found = search.exec(text); found !== null; found = search.exec(text)) {
    const { index, groups = {} } = found;
    const { code, fence = '', raw = '', mark } = groups;
    addLinks(index);
    // A mark within a link is a letter of its address.
    if (index < end) search.lastIndex = end;
    else if (code !== undefined) add({ kind: 'code', mark: fence, text: raw }, index, index + code.length);
    else if (isMark(mark)) {
      const close = closings.of(mark, index);
      if (close === undefined) continue;
      const inner = within(text.slice(index + 1, close), depth + 1);
      add({ kind: MARKS[mark], mark, parts: inner }, index, close + 1);
    }
    search.lastIndex = end;
  }
  addLinks(text.length);
  if (end < text.length) parts.push({ kind: 'words', text: text.slice(end) });
  return parts;
};

/** Splits a text at its links and at the network's marks. All parts together are the whole text. */
export const partsOf = (text: string): Part[] => within(text, 0);
