import { sql, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';

export interface Execution {
  id: string;
  status: string;
  /** The execution that this one repeats. */
  retryOf: string | null;
  /** The words of the message that began it. */
  words: string;
}

/** Reads n8n's own records of a workflow's executions. */
export class Executions {
  readonly #database: Kysely<unknown>;

  constructor(databaseUrl: string) {
    this.#database = new Kysely({
      dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: databaseUrl }) }),
    });
  }

  /** `words` finds in an execution's data what began it. */
  async of(workflowId: string, words: RegExp): Promise<Execution[]> {
    const { rows } = await sql<{ id: string; status: string; retryOf: string | null; data: string }>`
      select e.id::text as id, e.status, e."retryOf", coalesce(d.data::text, '') as data
      from execution_entity e left join execution_data d on d."executionId" = e.id
      where e."workflowId" = ${workflowId} order by e.id`.execute(this.#database);
    return rows.map(({ data, ...execution }) => ({ ...execution, words: words.exec(data)?.[0] ?? '' }));
  }

  close(): Promise<void> {
    return this.#database.destroy();
  }
}
