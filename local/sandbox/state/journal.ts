import { appendFileSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { Fact } from './fact.ts';

export interface Journal {
  readonly facts: readonly Fact[];
  append(fact: Fact): void;
  close(): void;
}

/**
 * Opens the journal. Facts are on disk before the answer leaves, so that a killed sandbox still knows what it has
 * accepted.
 */
export function openJournal(path: string | undefined): Journal {
  if (path === undefined) return { facts: [], append: () => undefined, close: () => undefined };
  mkdirSync(dirname(path), { recursive: true });
  const facts = existsSync(path) ? readFacts(path) : [];
  // It holds what people wrote.
  const file = openSync(path, 'a', 0o600);
  return {
    facts,
    append: (fact) => appendFileSync(file, `${JSON.stringify(fact)}\n`),
    close: () => closeSync(file),
  };
}

function readFacts(path: string): Fact[] {
  const bytes = readFileSync(path);
  // A kill can tear the last line; cutting it off keeps the next append from joining it.
  const end = bytes.lastIndexOf('\n') + 1;
  if (end < bytes.length) truncateSync(path, end);
  return bytes
    .subarray(0, end)
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Fact.parse(JSON.parse(line)));
}
