import { futureMessages } from './future-messages.ts';
import { lostContents } from './lost-contents.ts';
import type { Repair } from './repair.ts';

/** Every repair, in its order. A new one is a file of its own and a line here. */
const REPAIRS: readonly Repair[] = [lostContents, futureMessages];

/** Runs a statement in a transaction that the caller keeps; answers the rows. */
export type RunStatement = (text: string) => Promise<{ id?: unknown }[]>;

const MAX_LISTED = 20;

/** Lists what is wrong, by the ids of the rows. It changes nothing. */
export async function listRepairs(run: RunStatement): Promise<{ repair: Repair; ids: string[] }[]> {
  const found = [];
  for (const repair of REPAIRS) {
    const rows = await run(repair.find);
    found.push({ repair, ids: rows.map(({ id }) => String(id)) });
  }
  return found;
}

/** Lists what is wrong, then mends it. Returns how many rows were wrong. */
export async function runRepairs(run: RunStatement, say: (line: string) => void): Promise<number> {
  const found = await listRepairs(run);
  for (const { repair, ids } of found) {
    say(`${repair.name.padEnd(18)} ${ids.length} ${repair.title}`);
    for (const id of ids.slice(0, MAX_LISTED)) say(`${' '.repeat(19)}${id}`);
    if (ids.length > MAX_LISTED) say(`${' '.repeat(19)}… and ${ids.length - MAX_LISTED} more`);
  }
  for (const { repair, ids } of found) {
    if (ids.length === 0) continue;
    for (const mend of repair.mends) await run(mend);
    say(`${repair.name.padEnd(18)} repaired`);
  }
  return found.reduce((sum, { ids }) => sum + ids.length, 0);
}
