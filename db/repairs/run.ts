import type { Database } from '../engine/database.ts';
import { run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';
import { emptyErasures } from './empty-erasures.ts';
import { forgottenStops } from './forgotten-stops.ts';
import { futureMessages } from './future-messages.ts';
import { lostContents } from './lost-contents.ts';
import { mistypedFiles } from './mistyped-files.ts';
import type { Found, Repair } from './repair.ts';
import { returnedMessages } from './returned-messages.ts';
import { unreadContents } from './unread-contents.ts';

/** Every repair, in its order. A new one is a file of its own and a line here. */
const REPAIRS: readonly Repair[] = [
  lostContents,
  unreadContents,
  futureMessages,
  mistypedFiles,
  forgottenStops,
  returnedMessages,
  emptyErasures,
];

export const REPAIR_NAMES: readonly string[] = REPAIRS.map(({ name }) => name);

const NAME_WIDTH = Math.max(...REPAIR_NAMES.map((name) => name.length)) + 1;

/** Lists what is wrong. It changes nothing. Names choose repairs; without any it looks for all. */
export async function listRepairs(
  database: Database,
  names: readonly string[] = [],
): Promise<{ repair: Repair; found: Found }[]> {
  const listed = [];
  for (const repair of REPAIRS) {
    if (names.length > 0 && !names.includes(repair.name)) continue;
    listed.push({ repair, found: await unhurried(database, (tx) => repair.find(tx)) });
  }
  return listed;
}

/**
 * Lists what is wrong, then mends it, each repair in a transaction of its own. What deletes is mended only when it is
 * named. Returns how much was wrong.
 */
export async function runRepairs(
  database: Database,
  names: readonly string[],
  say: (line: string) => void,
): Promise<number> {
  const listed = await listRepairs(database, names);
  for (const { repair, found } of listed) {
    say(`${repair.name.padEnd(NAME_WIDTH)} ${found.count} ${repair.title}`);
    for (const line of found.first) say(`${' '.repeat(NAME_WIDTH + 1)}${line}`);
    const others = found.count - found.first.length;
    if (others > 0) say(`${' '.repeat(NAME_WIDTH + 1)}… and ${others} more`);
  }
  for (const { repair, found } of listed) {
    if (found.count === 0) continue;
    const label = repair.name.padEnd(NAME_WIDTH);
    if (repair.deletes === true && !names.includes(repair.name)) {
      say(`${label} left as it is: it deletes. To mend it: ./engine doctor --repair ${repair.name}`);
      continue;
    }
    await unhurried(database, (tx) => repair.mend(tx));
    say(`${label} ${repair.mended ?? 'repaired'}`);
  }
  return listed.reduce((sum, { found }) => sum + found.count, 0);
}

/** A look at every message may take longer than any statement of the engine's own work may. */
function unhurried<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return database.transaction(async (tx) => {
    await run(tx)`set local statement_timeout = 0`;
    return work(tx);
  });
}
