import { mkdir, realpath } from 'node:fs/promises';
import { lockDirectory } from './directory-lock.ts';
import { hasCode, reasonOf } from './error-reason.ts';
import { readOrCreateSecret } from './secret.ts';
import { StartupError } from './startup-error.ts';

export interface DataDirectory {
  /** The path, absolute and free of links, because the servers' processes are recognised by it. */
  readonly path: string;
  /** Returns a random value (base64url) that is made once and kept, readable by its owner only. */
  readOrCreateSecret: (name: string, bytes: number) => Promise<string>;
  unlock: () => Promise<void>;
}

/** Opens the directory that holds everything the engine keeps, for one engine at a time. */
export async function openDataDirectory(options: { path: string }): Promise<DataDirectory> {
  const { path, unlock } = await create(options.path);
  return { path, unlock, readOrCreateSecret: (name, bytes) => readOrCreateSecret(path, name, bytes) };
}

async function create(path: string): Promise<{ path: string; unlock: () => Promise<void> }> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const real = await realpath(path);
    return { path: real, unlock: await lockDirectory(real) };
  } catch (error) {
    if (!hasCode(error, 'EACCES', 'EPERM', 'EROFS', 'EEXIST', 'ENOTDIR')) throw error;
    throw new StartupError(
      `The data directory ${path} cannot be used (${reasonOf(error)}): set DATA_DIR to one you may write.`,
      { cause: error },
    );
  }
}
