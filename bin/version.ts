import { readFileSync } from 'node:fs';

const MANIFEST = readManifest();

/** The engine's version, as package.json says it. */
export const VERSION = wordOf(MANIFEST, 'version');

/** The version of Temporal's SDK, which package.json names exactly. */
export const SDK_VERSION = wordOf(wordsOf(MANIFEST, 'dependencies'), '@temporalio/client');

// Without zod, because `engine --version` needs nothing else of it.
function readManifest(): unknown {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
}

function wordOf(record: unknown, name: string): string {
  const word = wordsOf(record, name);
  if (typeof word !== 'string') throw new Error(`package.json has no ${name}.`);
  return word;
}

function wordsOf(record: unknown, name: string): unknown {
  return typeof record === 'object' && record !== null
    ? Object.entries(record).find(([key]) => key === name)?.[1]
    : undefined;
}
