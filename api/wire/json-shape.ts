import { invalid } from '../../domain/error.ts';

/** No object of a request has nearly as many names, no list as many items, and no body as many levels. */
export const SHAPE = {
  names: 256,
  items: 2_000,
  levels: 64,
  /** Counts all objects and lists together; otherwise a list of lists would multiply the bounds above. */
  values: 20_000,
} as const;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const SPACE = 0x20;

/**
 * Refuses JSON by its shape before it is parsed: an object of tens of thousands of names takes a tenth of a second to
 * make. It looks at each byte once and stops at the first bound; what is no JSON is left to the parser.
 */
export function requireBoundedJson(bytes: Buffer): void {
  /** The values so far of each object and list that is open. */
  const counts: number[] = [];
  const limits: number[] = [];
  let values = 0;
  const count = (): void => {
    const place = counts.length - 1;
    if (place < 0) return;
    values += 1;
    counts[place] = (counts[place] ?? 0) + 1;
    const limit = limits[place] ?? 0;
    if ((counts[place] ?? 0) > limit) {
      throw tooWide(`${limit} ${limit === SHAPE.items ? 'items in a list' : 'names in an object'}`);
    }
    if (values > SHAPE.values) throw tooWide(`${SHAPE.values} values`);
  };
  let isFirst = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? SPACE;
    if (byte <= SPACE) continue;
    if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      counts.pop();
      limits.pop();
      isFirst = false;
      continue;
    }
    // An empty object has no first value, and each comma stands before another one.
    if (isFirst || byte === COMMA) count();
    isFirst = false;
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (counts.length === SHAPE.levels) throw tooWide(`${SHAPE.levels} levels`);
      counts.push(0);
      limits.push(byte === OPEN_LIST ? SHAPE.items : SHAPE.names);
      isFirst = true;
    }
  }
}

/** Returns the place of the quote that ends the string. */
function endOfString(bytes: Buffer, from: number): number {
  const quote = bytes.indexOf(QUOTE, from + 1);
  if (quote < 0) return bytes.length;
  if (bytes[quote - 1] !== BACKSLASH) return quote;
  // Step by step from here, because a search for each of many escaped quotes takes longer.
  for (let at = from + 1; at < bytes.length; at += 1) {
    if (bytes[at] === BACKSLASH) at += 1;
    else if (bytes[at] === QUOTE) return at;
  }
  return bytes.length;
}

export function tooWide(most: string) {
  return invalid({ pointer: '', message: `must have at most ${most}` });
}
