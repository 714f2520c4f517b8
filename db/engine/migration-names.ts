import { readdirSync } from 'node:fs';

/** The migrations of this version by their names, in the order in which they run. */
export const MIGRATION_NAMES = readdirSync(new URL('../migrations', import.meta.url))
  .flatMap((file) => (file.endsWith('.sql') ? [file.slice(0, -'.sql'.length)] : []))
  .toSorted();
