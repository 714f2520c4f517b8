import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../db/engine/database.ts';
import { holdFile } from '../../db/media/keys.ts';
import { EngineError } from '../../domain/error.ts';
import { isMediaKey } from '../../domain/sending/media.ts';
import type { MediaStore } from '../../domain/sending/media.ts';

/** A deletion takes far less. */
const TRIES = 20;
const PAUSE_MS = 500;

/**
 * Holds every file from the moment before it is put, because no row names it yet: whoever deletes the files that no row
 * names leaves it alone for the next hour. A file that is being deleted is put after that.
 */
export function withHolds(database: Database, store: MediaStore): MediaStore {
  return {
    ...store,
    async put(key, content, mimeType) {
      // A thumbnail is held with its picture.
      if (!isMediaKey(key)) return store.put(key, content, mimeType);
      for (let tries = 1; !(await database.statement((tx) => holdFile(tx, key))); tries += 1) {
        if (tries >= TRIES) throw new EngineError('unavailable', 'The media store is deleting an identical file.');
        await pause(PAUSE_MS);
      }
      await store.put(key, content, mimeType);
    },
  };
}
