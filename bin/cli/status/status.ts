import type { Home } from '../home.ts';
import { gatherFacts } from './gather.ts';
import { linesOf } from './lines.ts';

/** All is well; something needs somebody; nothing of the engine answers. */
const EXIT = { well: 0, trouble: 1, nothing: 3 } as const;

interface Wanted {
  /** The facts for a program instead of the lines for a person. */
  json: boolean;
  say: (line: string) => void;
}

/** Says how everything is, and what to do where something is wrong. Returns the exit code. */
export async function status(home: Home, { json, say }: Wanted): Promise<number> {
  const facts = await gatherFacts(home);
  const lines = linesOf(facts);
  if (json) say(JSON.stringify({ ...facts, todo: lines.flatMap(({ todo }) => todo) }, null, 2));
  else {
    for (const { about, says, todo } of lines) {
      say(`${about.padEnd(10)} ${says}`);
      for (const sentence of todo) say(`${' '.repeat(11)}→ ${sentence}`);
    }
  }
  const answers = [facts.api, facts.database, facts.temporal].some(({ is }) => is === 'found');
  if (!answers) return EXIT.nothing;
  return lines.some(({ todo }) => todo.length > 0) ? EXIT.trouble : EXIT.well;
}
