import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { SEARCH_ATTRIBUTES } from '../../domain/workflows.ts';
import { openDataDirectory } from '../../local/embedded/data-directory.ts';
import { startPostgres } from '../../local/embedded/postgres/postgres.ts';
import { findTemporal } from '../../local/embedded/temporal/binary.ts';
import { startTemporal } from '../../local/embedded/temporal/temporal.ts';
import { startSandbox } from '../../local/sandbox/main.ts';

interface Needs {
  directory: string;
  environment: NodeJS.ProcessEnv;
  stops: AsyncDisposableStack;
  say: (line: string) => void;
}

/** Starts PostgreSQL, Temporal and the sandbox, and returns the settings by which production reaches them. */
export async function startSurroundings({
  directory,
  environment,
  stops,
  say,
}: Needs): Promise<Record<string, string>> {
  await mkdir(directory);
  const { path, unlock } = await openDataDirectory({ path: directory });
  stops.defer(unlock);
  const postgres = await startPostgres({ dataDir: path, log: say });
  stops.defer(() => postgres.stop());
  const binary = await findTemporal({
    kind: 'cli',
    cliPath: environment['TEMPORAL_CLI_PATH'],
    pathVariable: environment['PATH'],
    env: environment,
    cacheDir: join(homedir(), '.cache', 'messaging-automation-engine'),
    log: say,
  });
  const temporal = await startTemporal({
    binary,
    dataDir: path,
    namespace: 'default',
    headless: true,
    isSmall: true,
    searchAttributes: Object.fromEntries(SEARCH_ATTRIBUTES.map((name) => [name, 'Keyword' as const])),
    log: say,
  });
  stops.defer(() => temporal.stop());
  const apiKey = secret();
  const sandbox = await startSandbox({ port: 0, apiKey });
  stops.defer(() => sandbox.close());
  return {
    DATABASE_URL: postgres.url,
    TEMPORAL_ADDRESS: temporal.address,
    BACKEND_URL: sandbox.url,
    BACKEND_API_KEY: apiKey,
    LLM_BASE_URL: `${sandbox.url}/llm/v1`,
    LLM_API_KEY: apiKey,
    LLM_MODELS: JSON.stringify([{ id: 'sandbox-model', provider: 'openai-compatible' }]),
    BACKEND_WEBHOOK_SECRET: secret(),
    ENGINE_API_KEY: secret(),
    ENGINE_ENCRYPTION_KEY: secret(),
    WORKFLOW_ENGINE_INTERNAL_PSK: secret(),
  };
}

/** Production accepts 32 characters or more. */
function secret(): string {
  return randomBytes(32).toString('hex');
}
