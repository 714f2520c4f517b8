import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EngineError } from '../../domain/error.ts';
import { isMediaKey } from '../../domain/sending/media.ts';
import type { FileContent, MediaStore } from '../../domain/sending/media.ts';

/** Stores files in a directory, for one machine or for several that share the directory. */
export function createDirectoryStore(root: string): MediaStore {
  const pathOf = (key: string): string => join(root, key);

  return {
    async put(key, content) {
      try {
        await putWhole(pathOf(key), content);
      } catch (error) {
        throw new EngineError('unavailable', 'The media store cannot be written.', { cause: error });
      }
    },

    async get(key, range) {
      const path = pathOf(key);
      try {
        if ((await sizeOf(path)) === null) return null;
      } catch (error) {
        throw new EngineError('unavailable', 'The media store cannot be read.', { cause: error });
      }
      return createReadStream(path, range === undefined ? {} : { start: range.first, end: range.last });
    },

    async delete(key) {
      try {
        await rm(pathOf(key), { force: true });
      } catch (error) {
        throw new EngineError('unavailable', 'The media store cannot be written.', { cause: error });
      }
    },

    async *keys(after) {
      const prefixes = (await namesIn(root)).map((agencyId) => `${agencyId}/`).toSorted();
      for (const prefix of prefixes.filter((each) => each >= after.slice(0, each.length))) {
        const keys = (await namesIn(pathOf(prefix))).map((name) => prefix + name).toSorted();
        yield* keys.filter((key) => key > after && isMediaKey(key));
      }
    },
  };
}

/** Returns the free part of the disk that holds the directory, from 0 to 1. */
export async function freeShareOf(root: string): Promise<number> {
  for (let path = root; ; path = dirname(path)) {
    try {
      const { bavail, blocks } = await statfs(path);
      return blocks === 0 ? 1 : bavail / blocks;
    } catch (error) {
      // The first file makes the directory.
      if (!isMissing(error) || dirname(path) === path) throw error;
    }
  }
}

async function namesIn(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (isMissing(error)) return [];
    throw new EngineError('unavailable', 'The media store cannot be read.', { cause: error });
  }
}

async function putWhole(path: string, content: Uint8Array | FileContent): Promise<void> {
  const sizeBytes = content instanceof Uint8Array ? content.length : content.sizeBytes;
  if ((await sizeOf(path)) === sizeBytes) return;
  const directory = dirname(path);
  await mkdir(directory, { recursive: true });
  const part = join(directory, `.${randomUUID()}.part`);
  try {
    await writeThrough(part, content instanceof Uint8Array ? content : content.chunks());
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  await syncDirectory(directory);
}

/**
 * Writes the file to the disk before the file gets its name, so that after a power cut there is the whole file or none.
 */
async function writeThrough(path: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
}
