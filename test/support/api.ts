import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDirectoryStore } from '../../activities/media-store/directory.ts';
import { createLogger } from '../../api/wire/logger.ts';
import { startApi } from '../../api/start.ts';
import { createBackend } from '../../backend/client.ts';
import { Database } from '../../db/database.ts';
import { BACKEND_WEBHOOK_SECRET, MASTER_KEY, PSK } from './keys.ts';

/** Fewer than the requests that wait at a time in any test of it. */
const POOL_SIZE = 4;

/** One process of the API and nothing else: what it accepts stays where it is. */
export interface RunningApi {
  url: string;
  database: Database;
  close(): Promise<void>;
}

export async function startApiOn(
  databaseUrl: string,
  applicationName: string,
  mediaDirectory = join(tmpdir(), 'no-media'),
): Promise<RunningApi> {
  const database = await Database.open({
    url: databaseUrl,
    directUrl: databaseUrl,
    encryptionKey: 'test-encryption-key-0123456789-0123456789',
    webhooks: { publicUrl: 'http://engine.test', timeoutMs: 15_000 },
    poolSize: POOL_SIZE,
    applicationName,
    onError: () => undefined,
  });
  const backendUrl = 'http://127.0.0.1:9';
  const backend = createBackend({ baseUrl: backendUrl, apiKey: null });
  const api = await startApi({
    database,
    backend,
    backendUrl,
    backendApiKey: undefined,
    backendWebhookSecret: BACKEND_WEBHOOK_SECRET,
    masterKey: MASTER_KEY,
    internalPsk: PSK,
    publicUrl: 'http://engine.test',
    mediaPublicUrl: 'http://media.test',
    mediaStore: createDirectoryStore(mediaDirectory),
    host: '127.0.0.1',
    port: 0,
    modelIds: ['sandbox-model'],
    checks: [],
    version: 'test',
    log: createLogger({ level: process.env['TEST_LOG_LEVEL'] ?? 'silent', name: 'test' }),
  });
  return {
    url: api.url,
    database,
    async close() {
      await api.close();
      await backend.close();
      await database.close();
    },
  };
}
