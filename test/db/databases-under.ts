import { afterAll } from '@jest/globals';
import { connectDatabase } from '../../db/connect.ts';
import type { Database } from '../../db/engine/database.ts';

/** Opens one database under several encryption keys, and closes each after the tests of the file. */
export function databasesUnder(databaseUrl: string, applicationName: string) {
  const opened: Database[] = [];
  afterAll(async () => {
    for (const database of opened) await database.close();
  });
  return async (encryptionKey: string, previousEncryptionKey?: string): Promise<Database> => {
    const database = await connectDatabase({
      url: databaseUrl,
      directUrl: databaseUrl,
      encryptionKey,
      previousEncryptionKey,
      webhooks: { publicUrl: 'http://engine.test', timeoutMs: 15_000 },
      poolSize: 3,
      applicationName,
      onError: () => undefined,
    });
    opened.push(database);
    return database;
  };
}
