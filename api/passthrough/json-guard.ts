import { Transform } from 'node:stream';
import type { TransformCallback } from 'node:stream';
import { EngineError, invalid } from '../../domain/error.ts';
import { judgedNames } from './judgeable.ts';
import { StreamedShape } from './streamed-shape.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const LETTER_N = 0x6e;
const [BRACE, BRACE_END] = [0x7b, 0x7d];
const OPENING: ReadonlySet<number> = new Set([BRACE, 0x5b]);
const CLOSING: ReadonlySet<number> = new Set([BRACE_END, 0x5d]);
const WHITE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
/** No name that is looked for is longer. */
const MAX_NAME_LENGTH = 32;

/**
 * Passes a JSON body on while it comes, and breaks it off at a name that the engine would have to write, at a file in a
 * form that it does not look into, or after too many bytes: a body that is broken off is none to the backend. It keeps
 * nothing but the names that lead to where it is.
 */
export class JsonGuard extends Transform {
  readonly #refused: ReadonlySet<string>;
  readonly #known: ReadonlyMap<string, string>;
  readonly #shape: StreamedShape;
  readonly #maxBytes: number;
  #bytes = 0;
  #isInString = false;
  #isEscaped = false;
  #hasEscapes = false;
  #text = '';
  /** True after a string, until it is known whether a colon follows, which makes the string a name. */
  #mayBeName = false;
  /** True within a number, `true`, `false` or `null`. */
  #isInWord = false;

  constructor({
    refused,
    files,
    maxBytes,
  }: {
    refused: readonly string[];
    files: readonly string[];
    maxBytes: number;
  }) {
    super();
    this.#refused = new Set(refused.map((name) => name.toLowerCase()));
    this.#known = judgedNames(files);
    this.#shape = new StreamedShape(files);
    this.#maxBytes = maxBytes;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#bytes += chunk.length;
    try {
      if (this.#bytes > this.#maxBytes) throw tooLarge(this.#maxBytes);
      this.#look(chunk);
      done(null, chunk);
    } catch (error) {
      done(error instanceof Error ? error : new Error('The body could not be read.'));
    }
  }

  #look(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) at = this.#isInString ? this.#inString(chunk, at) : this.#between(chunk, at);
  }

  /** Goes on to the end of the string; a file's base64 is one string, so this looks for its end with `indexOf`. */
  #inString(chunk: Buffer, from: number): number {
    if (this.#isEscaped) {
      this.#isEscaped = false;
      return from + 1;
    }
    const quote = chunk.indexOf(QUOTE, from);
    const end = quote < 0 ? chunk.length : quote;
    const escape = chunk.subarray(from, end).indexOf(BACKSLASH);
    const until = escape < 0 ? end : from + escape;
    if (this.#text.length <= MAX_NAME_LENGTH) {
      this.#text += chunk.toString('latin1', from, Math.min(until, from + MAX_NAME_LENGTH + 1));
    }
    if (escape >= 0) {
      this.#hasEscapes = true;
      this.#isEscaped = true;
    } else if (quote >= 0) {
      this.#isInString = false;
      this.#mayBeName = true;
    }
    return until + 1;
  }

  #between(chunk: Buffer, at: number): number {
    const byte = chunk[at] ?? 0;
    if (WHITE.has(byte)) {
      this.#isInWord = false;
      return at + 1;
    }
    if (byte === COLON && this.#mayBeName) this.#judge();
    else if (this.#mayBeName) this.#shape.value('scalar');
    this.#mayBeName = false;
    if (byte === QUOTE) {
      this.#isInString = true;
      this.#hasEscapes = false;
      this.#text = '';
    } else if (OPENING.has(byte)) {
      this.#shape.value(byte === BRACE ? 'object' : 'list');
    } else if (CLOSING.has(byte)) {
      this.#shape.close(byte === BRACE_END);
    } else if (byte !== COMMA && byte !== COLON) {
      if (!this.#isInWord) this.#shape.value(byte === LETTER_N ? 'null' : 'scalar');
      this.#isInWord = true;
      return at + 1;
    }
    this.#isInWord = false;
    return at + 1;
  }

  #judge(): void {
    if (this.#hasEscapes) throw invalid({ pointer: '', message: 'has a name that contains an escape' });
    // A lenient backend may read a name in other letters.
    const meant = this.#known.get(this.#text.toLowerCase());
    if (!this.#refused.has(this.#text.toLowerCase())) {
      if (meant === undefined || meant === this.#text) return this.#shape.name(this.#text);
      throw invalid({ pointer: '', message: `has a name that must be written ${meant}` });
    }
    throw invalid(
      { pointer: `/${this.#text}`, message: 'is allowed only in a body of at most 1 MiB' },
      'Send the file itself as data, and remove the fields named in errors.',
    );
  }
}

export function tooLarge(maxBytes: number): EngineError {
  return new EngineError('body_too_large', `The body may have at most ${maxBytes} bytes.`);
}
