import { readFileSync } from 'node:fs';

/** An index that the database must have, or that it must no longer have. */
export type ListedIndex =
  { name: string; unique: boolean; table: string; on: string } | { name: string; dropped: true };

const CREATE =
  /^create (unique )?index concurrently if not exists ([a-z0-9_]+) on ([a-z0-9_]+)\s+((?:using gin )?\(.+)$/s;
const DROP = /^drop index concurrently if exists ([a-z0-9_]+)$/;
/**
 * PostgreSQL cuts a name off after 63 characters; the name of a partition's index has ten more, such as `_p20260105`.
 */
const MAX_NAME_LENGTH = 53;

export function listedIndexes(): ListedIndex[] {
  return parseIndexes(readFileSync(new URL('./indexes.sql', import.meta.url), 'utf8'));
}

/** Parses the list. It accepts one form only, because each index is looked for, built and repaired by its name. */
export function parseIndexes(source: string): ListedIndex[] {
  const statements = source
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
  return statements.map((statement) => {
    const [, gone] = DROP.exec(statement) ?? [];
    if (gone !== undefined) return { name: gone, dropped: true };
    const [, unique, name, table, on] = CREATE.exec(statement) ?? [];
    if (name === undefined || table === undefined || on === undefined) {
      throw new Error(`db/indexes/indexes.sql has what is no index of its form: ${statement}`);
    }
    if (name.length > MAX_NAME_LENGTH) throw new Error(`The name of the index ${name} is too long.`);
    return { name, unique: unique !== undefined, table, on };
  });
}
