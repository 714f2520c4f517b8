import type { Database } from '../../../db/engine/database.ts';
import { listRepairs, runRepairs } from '../../../db/repairs/run.ts';

/** Returns the lines of a repair's list. */
export async function listedBy(database: Database, name: string): Promise<string[]> {
  const listed = await listRepairs(database);
  return listed.flatMap(({ repair, found }) => (repair.name === name ? found.first : []));
}

/** Runs repairs as the command does: all, or those that are named. Returns what it says. */
export async function repair(database: Database, ...names: string[]): Promise<{ wrong: number; said: string[] }> {
  const said: string[] = [];
  const wrong = await runRepairs(database, names, (line) => said.push(line));
  return { wrong, said };
}
