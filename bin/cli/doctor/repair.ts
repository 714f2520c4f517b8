import { Client } from 'pg';
import { runRepairs } from '../../../db/repairs/run.ts';
import { CommandError } from '../command-error.ts';
import type { Home } from '../home.ts';

/** Lists what the faults of earlier releases left, and repairs it in one transaction. It may run again. */
export async function repair({ config }: Home, say: (line: string) => void): Promise<void> {
  if (config.databaseUrl === undefined) {
    throw new CommandError(`No engine runs on ${config.dataDir}: start it, or set DATA_DIR or DATABASE_URL.`);
  }
  const client = new Client({ connectionString: config.databaseUrl, application_name: 'engine-repair' });
  await client.connect();
  try {
    await client.query('begin');
    const wrong = await runRepairs(async (text) => (await client.query<{ id?: unknown }>(text)).rows, say);
    await client.query('commit');
    say(wrong === 0 ? 'Nothing is left to repair.' : 'Done. Run it again to see what is left.');
  } finally {
    await client.end();
  }
}
