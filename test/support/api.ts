import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDirectoryStore } from '../../adapters/media-store/directory.ts';
import { workCheck } from '../../api/operations/work-health.ts';
import { createLogger } from '../../api/wire/logger.ts';
import { startApi } from '../../api/start.ts';
import type { ApiParts } from '../../api/start.ts';
import { readAutomations } from '../../bin/automations.ts';
import { apiParts, openBackends } from '../../bin/compose.ts';
import { connectDatabase } from '../../db/connect.ts';
import type { Database } from '../../db/engine/database.ts';
import { testConfig } from './config.ts';
import { ENCRYPTION_KEY } from './keys.ts';

/** Fewer than the requests that wait at a time in any test of it. */
const POOL_SIZE = 4;

/** One process of the API and nothing else: what it accepts stays where it is. */
export interface RunningApi {
  url: string;
  /** The address of `/metrics`. */
  metricsUrl: string;
  database: Database;
  close(): Promise<void>;
}

export async function startApiOn(
  databaseUrl: string,
  applicationName: string,
  mediaDirectory = join(tmpdir(), 'no-media'),
  environment: Record<string, string> = {},
  more: Partial<ApiParts> = {},
): Promise<RunningApi> {
  const config = testConfig({ DATABASE_URL: databaseUrl, BACKEND_URL: 'http://127.0.0.1:9', ...environment });
  const database = await connectDatabase({
    url: databaseUrl,
    directUrl: databaseUrl,
    encryptionKey: ENCRYPTION_KEY,
    webhooks: { publicUrl: config.publicUrl, timeoutMs: config.webhookTimeoutMs },
    poolSize: POOL_SIZE,
    applicationName,
    onError: () => undefined,
  });
  const backends = openBackends(config);
  const log = createLogger({ level: process.env['TEST_LOG_LEVEL'] ?? 'silent', name: 'test' });
  const api = await startApi({
    ...apiParts(config, {
      automations: await readAutomations(),
      database,
      backends,
      checks: [workCheck(database)],
      log,
    }),
    mediaStore: createDirectoryStore(mediaDirectory),
    outcomeWaitMs: 0,
    ...more,
  });
  return {
    url: api.url,
    metricsUrl: `http://127.0.0.1:${api.metricsPort}/metrics`,
    database,
    async close() {
      await api.close();
      await backends.close();
      await database.close();
    },
  };
}
