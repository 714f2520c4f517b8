import { Client } from 'pg';

/** The work that PostgreSQL did, per message or in all. */
export interface DatabaseCost {
  /** Statements that clients sent, each of which is a round trip. */
  roundTrips: number;
  /** Pages read, whether found in memory or not. */
  buffers: number;
  rowsWritten: number;
}

/** Counts the work of a database by its own statistics (`pg_stat_statements`, `pg_stat_user_tables`). */
export class DatabaseBooks {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async open(url: string): Promise<DatabaseBooks> {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query('create extension if not exists pg_stat_statements');
    await client.query("set pg_stat_statements.track = 'none'");
    return new DatabaseBooks(client);
  }

  async total(): Promise<DatabaseCost> {
    // PostgreSQL's idle sessions report the rows that they wrote up to a second late.
    const { rows } = await this.#client.query<Record<keyof DatabaseCost, string>>(`
      select sum(calls) as "roundTrips", sum(shared_blks_hit + shared_blks_read) as buffers,
        (select sum(n_tup_ins + n_tup_upd + n_tup_del) from pg_stat_user_tables) as "rowsWritten"
      from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database()) and toplevel`);
    const row = rows[0];
    return {
      roundTrips: Number(row?.roundTrips ?? 0),
      buffers: Number(row?.buffers ?? 0),
      rowsWritten: Number(row?.rowsWritten ?? 0),
    };
  }

  async query(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    return (await this.#client.query<Record<string, unknown>>(text, values)).rows;
  }

  async close(): Promise<void> {
    await this.#client.end();
  }
}

export function costPer(before: DatabaseCost, after: DatabaseCost, count: number): DatabaseCost {
  return {
    roundTrips: (after.roundTrips - before.roundTrips) / count,
    buffers: (after.buffers - before.buffers) / count,
    rowsWritten: (after.rowsWritten - before.rowsWritten) / count,
  };
}
