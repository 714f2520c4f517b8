import type { Encoded } from '../wire/encoded.ts';

/** One file of the console as it is served: its name has a hash of its content. */
export interface ConsoleFile extends Encoded {
  type: 'text/javascript; charset=utf-8' | 'text/css; charset=utf-8';
}

/** The console, bundled. */
export interface ConsoleFiles {
  /** By their names, which never stand for another content. */
  files: ReadonlyMap<string, ConsoleFile>;
  /** The names of the script with which it begins, of its style, and of what the script needs at once. */
  script: string;
  style: string;
  needed: readonly string[];
}

/** Gives the console's files; undefined where the installation has none. */
export type ReadConsole = () => Promise<ConsoleFiles | undefined>;
