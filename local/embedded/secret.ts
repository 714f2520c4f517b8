import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from './error-reason.ts';
import { StartupError } from './startup-error.ts';

/** Returns a random value that is made once and kept in a file that only its owner may read. */
export async function readOrCreateSecret(directory: string, name: string, bytes: number): Promise<string> {
  const path = join(directory, name);
  const secret = (await readIfThere(path)) ?? (await createOnce(path, bytes));
  // An empty key would encrypt with what everybody knows, and a new one could not read what the former has encrypted.
  if (secret !== '') return secret;
  throw new StartupError(
    `The file ${path} is empty: put back a copy of it, or set DATA_DIR to an empty directory to start afresh.`,
  );
}

async function createOnce(path: string, bytes: number): Promise<string> {
  // The value is written whole under another name and then linked, so a second process neither reads half a secret nor
  // replaces ours.
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  // Flushed, because a machine that crashes now would leave the name without its content.
  await writeFile(draft, randomBytes(bytes).toString('base64url'), { flag: 'wx', mode: 0o600, flush: true });
  try {
    await link(draft, path);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return (await readFile(path, 'utf8')).trim();
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
