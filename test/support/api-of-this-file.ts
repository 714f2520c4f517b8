import { afterAll } from '@jest/globals';
import { startApiOn } from './api.ts';
import type { RunningApi } from './api.ts';
import { checkEvents } from './event-schemas.ts';
import { takeDatabase } from './servers.ts';

/**
 * An API for all tests of the file, on a database of its own. After them every event that they emitted must fit its schema,
 * and the API closes. A file awaits it before its first `describe`.
 */
export async function apiOfThisFile(name: string): Promise<RunningApi> {
  const databaseUrl = await takeDatabase();
  const api = await startApiOn(databaseUrl, name);
  afterAll(async () => {
    await checkEvents(api.url, api.database);
    await api.close();
  });
  return api;
}
