import { endFetch } from '../../../db/media/news.ts';
import type { Database } from '../../../db/engine/database.ts';
import { databaseNow, ensureRow } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';

interface Stored {
  key: string;
  sizeBytes: number;
}

/** Ends the fetch of a message's file, which is in the store under this key. */
export async function storeFile(
  database: Database,
  sessionId: string,
  messageId: string,
  { key, sizeBytes }: Stored,
): Promise<void> {
  const stored = { key, sizeBytes, sha256: key.slice(key.indexOf('/') + 1) };
  await ensureRow(database, 'mediaFetch', {
    ...SCOPE,
    messageId,
    sessionId,
    tells: false,
    createdAt: databaseNow,
    promisedAt: databaseNow,
  });
  await database.transaction((tx) => endFetch(tx, messageId, { stored, mimeType: 'image/jpeg', fileName: null }));
}
