import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';
import { editsAllowed, editsBetween } from '../../domain/words/edits-between.ts';
import { UsageError } from './command-error.ts';

/** Returns " Did you mean …?" with the known word that is nearest, or nothing if no word is near. */
export function didYouMean(given: string, known: readonly string[], shownAs = (word: string) => `"${word}"`): string {
  const [nearest] = known
    .map((word) => ({ word, edits: editsBetween(given, word) }))
    .filter(({ edits }) => edits <= editsAllowed(given.length))
    .toSorted((a, b) => a.edits - b.edits);
  return nearest === undefined ? '' : ` Did you mean ${shownAs(nearest.word)}?`;
}

/** Node's message about an unknown option. */
const UNKNOWN_OPTION = /^Unknown option '--([^'=]+)/;

/** Reads the words of a command as node does, and says of a misspelt option which one was probably meant. */
export function parseWords<Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const [, option] = (error instanceof Error ? UNKNOWN_OPTION.exec(error.message) : null) ?? [];
    if (option === undefined) throw error;
    const near = didYouMean(option, Object.keys(config.options ?? {}), (name) => `--${name}`);
    throw new UsageError(`There is no option --${option} here.${near}`, { cause: error });
  }
}
