import { contentIn } from '../content/inner.ts';
import type { RawMessage } from '../raw-message.ts';
import { isFields } from '../raw.ts';
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
    isAt(raw, path, (value) => (is === null ? isTold(value, isText) : is.includes(value))),
  );
}

/** Answers the values of a fact that a payload tells, those of the first places first. */
export function valuesOf(raw: RawMessage, fact: Fact): unknown[] {
  const values: unknown[] = [];
  for (const { path, isText } of PLACES.get(fact) ?? []) {
    isAt(raw, path, (value) => {
      if (isTold(value, isText)) values.push(value);
      return false;
    });
  }
  return values;
}

/** Answers the first words that a payload tells of a fact; null where it tells none. */
export function wordsOf(raw: RawMessage, fact: Fact): string | null {
  return valuesOf(raw, fact).find((value) => typeof value === 'string') ?? null;
}

/**
 * True when a value at the path fits. Each message is asked for a hundred places, so this copies nothing: a schema at
 * each step made the reading of an event nine times as expensive.
 */
function isAt(raw: RawMessage, path: readonly string[], fits: (value: unknown) => boolean): boolean {
  const isContent = path[0] === 'content';
  return isBelow(isContent ? contentIn(raw) : raw, path, isContent ? 1 : 0, fits);
}

function isBelow(value: unknown, path: readonly string[], step: number, fits: (value: unknown) => boolean): boolean {
  const name = path[step];
  if (name === undefined) return fits(value);
  if (!isFields(value)) return false;
  if (name !== '*') return isBelow(value[name], path, step + 1, fits);
  return Object.values(value).some((each) => isBelow(each, path, step + 1, fits));
}

/** Engines write what is not so as false, null, 0 or an empty text. */
function isTold(value: unknown, isText: boolean): boolean {
  if (isText && typeof value !== 'string') return false;
  return value !== undefined && value !== null && value !== false && value !== 0 && value !== '';
}
