import { z } from 'zod';
import { contentIn } from '../content/inner.ts';
import type { RawMessage } from '../raw-message.ts';
import { ENGINES, SPELLINGS } from './table.ts';
import type { Fact } from './table.ts';

interface Place {
  path: readonly string[];
  /** The values that mean the fact; null for any that is one. */
  is: readonly unknown[] | null;
  /** Only a text means it. */
  isText: boolean;
}

/** The places of each fact, in whatever engine's spelling. */
const PLACES = new Map<string, readonly Place[]>(
  Object.entries(SPELLINGS).map(([fact, row]) => [
    fact,
    ENGINES.flatMap((engine) => {
      const cell: { at: readonly string[]; is?: readonly unknown[]; as?: 'text' } = row[engine];
      return cell.at.map((path) => ({ path: path.split('.'), is: cell.is ?? null, isText: cell.as === 'text' }));
    }),
  ]),
);

/** True where a payload tells the fact in the spelling of any engine. */
export function hasFact(raw: RawMessage, fact: Fact): boolean {
  return (PLACES.get(fact) ?? []).some(({ path, is, isText }) =>
    valuesAt(raw, path).some((value) => (is === null ? isTold(value, isText) : is.includes(value))),
  );
}

/** Answers the values of a fact that a payload tells, those of the first places first. */
export function valuesOf(raw: RawMessage, fact: Fact): unknown[] {
  return (PLACES.get(fact) ?? []).flatMap(({ path, isText }) =>
    valuesAt(raw, path).filter((value) => isTold(value, isText)),
  );
}

/** Answers the first words that a payload tells of a fact; null where it tells none. */
export function wordsOf(raw: RawMessage, fact: Fact): string | null {
  return valuesOf(raw, fact).find((value) => typeof value === 'string') ?? null;
}

const Values = z.record(z.string(), z.unknown());

function valuesAt(raw: RawMessage, [first = '', ...rest]: readonly string[]): unknown[] {
  return below(first === 'content' ? contentIn(raw) : Values.parse(raw)[first], rest);
}

function below(value: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (name === undefined) return [value];
  const inner = Values.safeParse(value);
  if (!inner.success) return [];
  const next = name === '*' ? Object.values(inner.data) : [inner.data[name]];
  return next.flatMap((each) => below(each, rest));
}

/** Engines write what is not so as false, null, 0 or an empty text. */
function isTold(value: unknown, isText: boolean): boolean {
  if (isText && typeof value !== 'string') return false;
  return value !== undefined && value !== null && value !== false && value !== 0 && value !== '';
}
