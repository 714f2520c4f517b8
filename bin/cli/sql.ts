import { DatabaseError } from 'pg';
import { runOwnStatement } from '../../db/operations/own-statement.ts';
import { reasonOf } from '../../local/embedded/error-reason.ts';
import { CommandError, UsageError } from './command-error.ts';
import type { Home } from './home.ts';

/**
 * Runs SQL in the engine's database and shows each row as one line of JSON. It needs no `psql`, and neither the port nor
 * the password of the PostgreSQL of `npm start`.
 */
export async function runSql(
  [text, ...others]: string[],
  { config }: Home,
  say: (line: string) => void,
): Promise<void> {
  if (text === undefined || others.length > 0) throw new UsageError('Give the SQL as one word, in quotes.');
  if (config.databaseUrl === undefined) {
    throw new CommandError(
      `No engine runs on ${config.dataDir}, and DATABASE_URL is not set: start the engine with "npm start", or set DATA_DIR or DATABASE_URL.`,
    );
  }
  for (const { rows, count } of await runOwnStatement(config.databaseDirectUrl ?? config.databaseUrl, text).catch(
    refused,
  )) {
    for (const row of rows) say(JSON.stringify(row));
    say(count === null ? 'Done.' : `${count} row${count === 1 ? '' : 's'}.`);
  }
}

function refused(error: unknown): never {
  if (error instanceof DatabaseError) throw new CommandError(`PostgreSQL refuses it: ${error.message}`);
  throw new CommandError(`The database cannot be reached: ${reasonOf(error)}`);
}
