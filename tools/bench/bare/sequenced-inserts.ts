import { Pool } from 'pg';

const BODY = 'x'.repeat(700);

/**
 * Inserts rows that are numbered without gaps, each in a transaction of one statement, as lean as can be. Returns how
 * many are committed in a second by so many writers.
 */
export async function sequencedInserts(databaseUrl: string, writers: number, seconds: number): Promise<number> {
  const pool = new Pool({ connectionString: databaseUrl, max: writers });
  try {
    await pool.query(`create table bare_sequence (id integer primary key, last bigint not null);
      create table bare_numbered (number bigint primary key, body text not null);
      insert into bare_sequence values (1, 0)`);
    let inserted = 0;
    const startedAt = performance.now();
    const writer = async (): Promise<void> => {
      while (performance.now() < startedAt + seconds * 1_000) {
        await pool.query({
          name: 'insert',
          text: `with taken as (update bare_sequence set last = last + 1 where id = 1 returning last)
            insert into bare_numbered select last, $1 from taken`,
          values: [BODY],
        });
        inserted += 1;
      }
    };
    await Promise.all(Array.from({ length: writers }, writer));
    return (inserted * 1_000) / (performance.now() - startedAt);
  } finally {
    await pool.end();
  }
}
