import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { TestEngine } from '../../support/engine.ts';
import { rowsOf } from '../../support/rows.ts';
import { historiesOf } from '../../support/temporal-histories.ts';

/** Returns the places of words: tables with the row, files, executions of Temporal. */
export async function tracesOf(engine: TestEngine, words: readonly string[], directory: string): Promise<string[]> {
  return [
    ...(await tracesInTables(engine, words)),
    ...(await tracesInFiles(directory, words)),
    ...(await tracesInTemporal(engine, words)),
  ];
}

async function tracesInTables({ database }: TestEngine, words: readonly string[]): Promise<string[]> {
  const tables = await rowsOf(
    database,
    sql<{ name: string }>`
      select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = current_schema() and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  );
  // A column of bytes is shown in hex.
  const patterns = words.flatMap((word) => [`%${word}%`, `%${Buffer.from(word).toString('hex')}%`]);
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await rowsOf(
      database,
      sql<{ text: string }>`select t::text as text from ${sql.table(name)} t
        where t::text like any(${patterns}::text[]) limit 3`,
    );
    found.push(...rows.map(({ text }) => `${name}: ${text.slice(0, 400)}`));
  }
  return found;
}

async function tracesInFiles(directory: string, words: readonly string[]): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    if (words.some((word) => path.includes(word) || bytes.includes(word))) found.push(`file: ${path}`);
  }
  return found;
}

async function tracesInTemporal(engine: TestEngine, words: readonly string[]): Promise<string[]> {
  const histories = await historiesOf(engine);
  return histories
    .filter(({ text }) => words.some((word) => text.includes(word)))
    .map(({ workflowId }) => `history: ${workflowId}`);
}
