import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { PLATFORM } from './release.ts';
import type { TemporalRelease } from './release.ts';

/**
 * Tells whether the file is the release's program for this machine. A link is not, because what it leads to may change
 * after we have read it.
 */
export async function isPinnedProgram(path: string, { builds }: TemporalRelease): Promise<boolean> {
  if (!(await lstat(path)).isFile()) return false;
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex') === builds[PLATFORM]?.program;
}
