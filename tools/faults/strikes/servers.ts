import { clusterPath } from '../../../local/embedded/postgres/cluster.ts';
import { readPostmaster } from '../../../local/embedded/postgres/postmaster-file.ts';
import type { ProcessIdentity } from '../../../local/embedded/process/process-identity.ts';
import { readRecord } from '../../../local/embedded/temporal/record.ts';

/**
 * Finds the servers of a data directory by the pid and start time in its records, so that no other process is ever
 * killed.
 */

export function temporalOf(dataDir: string): ProcessIdentity | undefined {
  return readRecord(dataDir)?.identity;
}

export async function postgresOf(dataDir: string): Promise<ProcessIdentity | undefined> {
  return (await readPostmaster(clusterPath(dataDir)))?.identity;
}
