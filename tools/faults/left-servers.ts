import type { Machine } from '../demo/engine-process.ts';
import { openDataDirectory } from '../../local/embedded/data-directory.ts';
import { useEngineRole } from '../../db/operations/engine-role.ts';
import { startPostgres } from '../../local/embedded/postgres/postgres.ts';
import { readRecord } from '../../local/embedded/temporal/record.ts';

const SECRET_BYTES = 32;
/**
 * The variables of the engine's secrets, each with the file of the data directory in which the engine keeps that
 * secret.
 */
const SECRETS = {
  ENGINE_API_KEY: 'engine-api-key',
  WORKFLOW_ENGINE_INTERNAL_PSK: 'internal-psk',
  ENGINE_ENCRYPTION_KEY: 'encryption-key',
  BACKEND_WEBHOOK_SECRET: 'backend-webhook-secret',
} as const;

/** The servers that a killed engine has left running, for an API and a worker as processes of their own. */
export interface LeftServers {
  databaseUrl: string;
  /** The machine with the servers and secrets in its environment, which an API or a worker of its own needs. */
  machine: Machine;
  /** Frees the data directory for another engine; the servers live on. */
  release(): Promise<void>;
}

export async function takeLeftServers(machine: Machine): Promise<LeftServers> {
  const log = (): void => undefined;
  const directory = await openDataDirectory({ path: machine.dataDir });
  const postgres = await startPostgres({ dataDir: directory.path, log });
  const password = await directory.readOrCreateSecret('postgres-engine-password', SECRET_BYTES);
  const databaseUrl = await useEngineRole(postgres.url, { role: 'engine', password });
  const temporal = readRecord(directory.path);
  const given = machine.environment['TEMPORAL_ADDRESS'];
  const temporalAddress = given ?? (temporal && `127.0.0.1:${temporal.port}`);
  if (temporalAddress === undefined) throw new Error('The killed engine has left no Temporal behind.');
  const environment: Record<string, string> = {
    ...machine.environment,
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    EGRESS_ALLOW: '127.0.0.0/8',
  };
  for (const [name, file] of Object.entries(SECRETS)) {
    environment[name] = await directory.readOrCreateSecret(file, SECRET_BYTES);
  }
  return {
    databaseUrl,
    machine: { ...machine, environment },
    release: () => directory.unlock(),
  };
}
