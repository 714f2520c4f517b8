import { Client } from 'pg';

const CONNECT_WITHIN_MS = 10_000;
/** A statement that reads a large table without an index must not go on for hours beside the engine. */
const ANSWER_WITHIN_MS = 60_000;

/** The result of one statement. */
export interface StatementAnswer {
  rows: unknown[];
  /** Rows that it answered or changed; null where it does neither. */
  count: number | null;
}

/**
 * Runs what an operator has written, one statement or several, on a connection of its own. Several are one transaction,
 * unless they say otherwise.
 */
export async function runOwnStatement(url: string, text: string): Promise<StatementAnswer[]> {
  const client = new Client({
    connectionString: url,
    application_name: 'engine-sql',
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    statement_timeout: ANSWER_WITHIN_MS,
    options: '-c timezone=UTC',
  });
  await client.connect();
  try {
    // The driver answers several statements with an array, which its types do not tell.
    const answered = [await client.query<object>(text)].flat();
    return answered.map(({ rows, rowCount }) => ({ rows, count: rowCount }));
  } finally {
    await client.end();
  }
}
