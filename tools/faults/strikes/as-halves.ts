import { Client } from 'pg';
import type { Ground } from '../ground.ts';
import { Halves } from './halves.ts';

interface Apart {
  halves: Halves;
  /** The fault's own connection to the database. */
  database: Client;
}

/**
 * Lets a killed engine go on as API and worker on its servers until the work is done, and then as one process again.
 */
export async function asHalves<T>(ground: Ground, work: (apart: Apart) => Promise<T>): Promise<T> {
  const halves = await Halves.start(ground.machine);
  const database = new Client({ connectionString: halves.databaseUrl });
  let done: T;
  try {
    await database.connect();
    done = await work({ halves, database });
  } finally {
    await database.end();
    await halves.stop();
  }
  await ground.startEngine();
  return done;
}
