/** A document's sign for omitted parts of a value. */
const ELLIPSIS = '…';

/**
 * Compares an answer that a document shows with a real one: each field that is shown must be there, with a value of the
 * same kind. Returns a sentence for each that is not.
 */
export function differences(shown: unknown, real: unknown, at = 'the answer'): string[] {
  // A null may be shown for what is sometimes something, and the other way round.
  if (shown === null || real === null || shown === ELLIPSIS) return [];
  if (Array.isArray(shown)) {
    if (!Array.isArray(real)) return [`${at} is no list but ${kindOf(real)}`];
    const [first] = shown;
    return first === undefined || real.length === 0 ? [] : differences(first, real[0], `${at}[0]`);
  }
  if (isRecord(shown)) {
    if (!isRecord(real)) return [`${at} is no object but ${kindOf(real)}`];
    return Object.entries(shown).flatMap(([name, value]) =>
      name in real ? differences(value, real[name], `${at}.${name}`) : [`${at} has no ${name}`],
    );
  }
  return typeof shown === typeof real ? [] : [`${at} is ${kindOf(real)}, where the document shows ${kindOf(shown)}`];
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return value === null ? 'null' : `a ${typeof value}`;
}

/** Finds the last JSON object or list in what a terminal has shown. */
export function lastJson(output: string): unknown {
  const starts = [...output.matchAll(/^\s*[{[]/gm)].map(({ index }) => index).toReversed();
  let widest: { value: unknown; end: number } | undefined;
  for (const start of starts) {
    const found = jsonAt(output, start);
    // Objects inside of an object that is printed over many lines begin with a brace, too.
    if (found !== undefined && (widest === undefined || found.end >= widest.end)) widest = found;
  }
  return widest?.value;
}

function jsonAt(output: string, start: number): { value: unknown; end: number } | undefined {
  let depth = 0;
  let quoted = false;
  for (let index = start; index < output.length; index += 1) {
    const character = output[index];
    if (quoted) {
      if (character === '\\') index += 1;
      else if (character === '"') quoted = false;
      continue;
    }
    if (character === '"') quoted = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return parsed(output.slice(start, index + 1), index + 1);
    }
  }
  return undefined;
}

function parsed(text: string, end: number): { value: unknown; end: number } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return { value, end };
  } catch {
    return undefined;
  }
}
