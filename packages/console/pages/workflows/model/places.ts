import { keysOf } from './json.ts';

/** A part of a text of JSON, by its characters. */
export interface Place {
  from: number;
  to: number;
}

const SPACE = /\s/;

/** Reads a text of JSON only as far as its places. The text is known to be JSON. */
class Reader {
  at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  space(): void {
    while (SPACE.test(this.#text.charAt(this.at))) this.at += 1;
  }

  /** Reads a string and returns its content. */
  string(): string {
    const from = this.at;
    for (this.at += 1; this.#text.charAt(this.at) !== '"'; this.at += 1)
      if (this.#text.charAt(this.at) === '\\') this.at += 1;
    this.at += 1;
    return String(JSON.parse(this.#text.slice(from, this.at)));
  }

  /** Reads a value. It returns the place of the value to which the keys lead. */
  value(keys: readonly string[] | null): Place | null {
    this.space();
    const from = this.at;
    const open = this.#text.charAt(this.at);
    let found: Place | null = null;
    if (open === '{' || open === '[') {
      this.at += 1;
      for (let item = 0; ; item += 1) {
        this.space();
        const char = this.#text.charAt(this.at);
        if (char === '}' || char === ']') break;
        if (char === ',') {
          this.at += 1;
          this.space();
        }
        const key = open === '{' ? this.string() : String(item);
        if (open === '{') {
          this.space();
          this.at += 1;
        }
        const isWanted = keys !== null && keys[0] === key;
        found = this.value(isWanted ? keys.slice(1) : null) ?? found;
      }
      this.at += 1;
    } else if (open === '"') this.string();
    else while (this.at < this.#text.length && !/[\s,}\]]/.test(this.#text.charAt(this.at))) this.at += 1;
    return keys?.length === 0 ? { from, to: this.at } : found;
  }
}

/** The place of a pointer's value in a text of JSON: of the nearest value around it if it does not exist. */
export const placeOf = (text: string, pointer: string): Place => {
  const keys = keysOf(pointer);
  try {
    JSON.parse(text);
  } catch {
    return { from: 0, to: 0 };
  }
  for (let length = keys.length; length >= 0; length -= 1) {
    const found = new Reader(text).value(keys.slice(0, length));
    if (found) return found;
  }
  return { from: 0, to: 0 };
};

/** The line of a character, as editors count. */
export const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length;
