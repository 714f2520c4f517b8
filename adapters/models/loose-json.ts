/** An object that stands in a text. */
export interface FoundObject {
  start: number;
  end: number;
  value: Record<string, unknown>;
  /** An `unclosed` object lacks only its last brackets. A `cut` one ends inside a value. */
  state: 'whole' | 'unclosed' | 'cut';
}

const OBJECT_BEGINS = /\{\s{0,200}["'“`]?[\w$-]{1,60}["'”`]?\s{0,20}:/g;
/** Bounds the work: each place where an object may begin can cost a walk to the end of the text. */
const MAX_TRIES = 60;
const MAX_DEPTH = 20;

/**
 * Finds the objects of a text, in their order. Reads them as models write them: with raw line breaks, other quotation
 * marks, quotation marks inside strings, names without quotation marks, commas too many or too few, words of Python.
 */
export function objectsIn(text: string, isWanted: (value: Record<string, unknown>) => boolean): FoundObject[] {
  const starts = [...text.matchAll(OBJECT_BEGINS)].map(({ index }) => index).slice(-MAX_TRIES);
  const objects: FoundObject[] = [];
  let from = 0;
  for (const start of starts) {
    if (start < from) continue;
    const object = new Reader(text, start).object();
    if (object === null || !isWanted(object.value)) continue;
    objects.push(object);
    from = object.end;
  }
  return objects;
}

class Broken extends Error {}

const QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", '“': '”"', '`': '`' };
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '', f: '' };
const WORDS: Readonly<Record<string, unknown>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  null: null,
  None: null,
  undefined: null,
};
/** A quotation mark ends a string only where this follows. Any other one belongs to the string. */
const AFTER_NAME = /\s{0,200}:/y;
const AFTER_VALUE =
  /\s{0,200}(?:$|[}\]]|,\s{0,200}(?:$|[}\]]|["'“`]?[\w$-]{1,60}["'”`]?\s{0,20}:)|["'“`][\w$-]{1,60}["'”`]\s{0,20}:)/y;
const AFTER_ITEM = /\s{0,200}(?:$|[,\]}])/y;
const BLANK = /[\s,]*/y;
const NAME = /[\w$-]{1,60}/y;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

class Reader {
  readonly #text: string;
  readonly #start: number;
  #at: number;
  #state: FoundObject['state'] = 'whole';

  constructor(text: string, start: number) {
    this.#text = text;
    this.#start = start;
    this.#at = start;
  }

  object(): FoundObject | null {
    try {
      const value = this.#object(0);
      return { start: this.#start, end: this.#at, value, state: this.#state };
    } catch (error) {
      if (error instanceof Broken) return null;
      throw error;
    }
  }

  #object(depth: number): Record<string, unknown> {
    if (depth > MAX_DEPTH) throw new Broken();
    const entries: [string, unknown][] = [];
    this.#at += 1;
    for (;;) {
      this.#skip(BLANK);
      if (this.#hasEnded()) break;
      if (this.#text[this.#at] === '}') {
        this.#at += 1;
        break;
      }
      const name = this.#name();
      this.#skip(BLANK);
      if (this.#hasEnded('cut')) break;
      if (this.#text[this.#at] !== ':') throw new Broken();
      this.#at += 1;
      this.#skip(BLANK);
      if (this.#hasEnded('cut')) break;
      entries.push([name, this.#value(depth, AFTER_VALUE)]);
    }
    return Object.fromEntries(entries);
  }

  #array(depth: number): unknown[] {
    if (depth > MAX_DEPTH) throw new Broken();
    const items: unknown[] = [];
    this.#at += 1;
    for (;;) {
      this.#skip(BLANK);
      if (this.#hasEnded()) break;
      if (this.#text[this.#at] === ']') {
        this.#at += 1;
        break;
      }
      items.push(this.#value(depth, AFTER_ITEM));
    }
    return items;
  }

  #value(depth: number, after: RegExp): unknown {
    const char = this.#text[this.#at] ?? '';
    if (char === '{') return this.#object(depth + 1);
    if (char === '[') return this.#array(depth + 1);
    if (char in QUOTES) return this.#string(after);
    const number = this.#skip(NUMBER);
    if (number !== '') return Number(number);
    const word = this.#skip(NAME);
    if (word in WORDS) return WORDS[word];
    // Only the end of the text may cut a word short.
    if (word !== '' && this.#hasEnded('cut')) return null;
    throw new Broken();
  }

  #name(): string {
    if ((this.#text[this.#at] ?? '') in QUOTES) return this.#string(AFTER_NAME);
    const name = this.#skip(NAME);
    if (name === '') throw new Broken();
    return name;
  }

  #string(after: RegExp): string {
    const ends = QUOTES[this.#text[this.#at] ?? ''] ?? '';
    const parts: string[] = [];
    for (this.#at += 1; this.#at < this.#text.length; this.#at += 1) {
      const char = this.#text[this.#at] ?? '';
      if (char === '\\') {
        parts.push(this.#escaped());
      } else if (ends.includes(char) && this.#isFollowedBy(after)) {
        this.#at += 1;
        return parts.join('');
      } else {
        parts.push(char);
      }
    }
    this.#state = 'cut';
    return parts.join('');
  }

  /** Leaves the position at the last character of the escape. */
  #escaped(): string {
    this.#at += 1;
    const char = this.#text[this.#at] ?? '';
    const code = char === 'u' ? /^[0-9a-f]{4}/i.exec(this.#text.slice(this.#at + 1, this.#at + 5))?.[0] : undefined;
    if (code === undefined) return ESCAPES[char] ?? char;
    this.#at += 4;
    return String.fromCharCode(Number.parseInt(code, 16));
  }

  #isFollowedBy(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at + 1;
    return pattern.test(this.#text);
  }

  #skip(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #hasEnded(state: FoundObject['state'] = 'unclosed'): boolean {
    if (this.#at < this.#text.length) return false;
    if (this.#state === 'whole') this.#state = state;
    return true;
  }
}
