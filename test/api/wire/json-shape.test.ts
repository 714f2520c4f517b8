import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { requireBoundedShape } from '../../../api/route/bounded-shape.ts';
import { requireBoundedJson } from '../../../api/wire/json-shape.ts';

function refusal(check: () => void): string | null {
  try {
    check();
    return null;
  } catch (error) {
    return String(error);
  }
}

const ofBytes = (text: string) => refusal(() => requireBoundedJson(Buffer.from(text)));
const ofValue = (value: unknown) => refusal(() => requireBoundedShape(value));

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Each at its bound and one beyond. */
const EDGES: Record<string, (more: 0 | 1) => unknown> = {
  names: (more) => Object.fromEntries(many(256 + more, (n) => [`a${n}`, '"{[,\\'])),
  items: (more) => many(2_000 + more, () => '"{[,\\'),
  'empty items': (more) => many(2_000 + more, () => ({})),
  levels: (more) => deep(64 + more),
  values: (more) => many(100, (n) => many(199 + (n === 0 ? more : 0), () => [])),
};

describe('the shape of JSON', () => {
  it.each(Object.entries(EDGES))('has the same bound of %s before it is parsed as after', (_, make) => {
    for (const indent of [undefined, 2]) {
      expect(ofBytes(JSON.stringify(make(0), null, indent))).toBeNull();
      const refused = ofBytes(JSON.stringify(make(1), null, indent));
      expect(refused).toMatch(/Error/);
      expect(refused).toBe(ofValue(make(1)));
    }
  });

  it('is seen through all words, names and spaces', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1), (value, indent) => {
        expect(ofBytes(JSON.stringify(value, null, indent))).toBeNull();
        const wide = [value, many(2_001, () => value)];
        expect(ofBytes(JSON.stringify(wide, null, indent))).not.toBeNull();
      }),
      { numRuns: 50 },
    );
  });

  it.each(['', '{', ']]]', '"', '"\\', '{"a":"b', '[,,,', '\u0000'])('leaves %j to the parser', (text) => {
    expect(ofBytes(text)).toBeNull();
  });
});
