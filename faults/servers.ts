import { clusterPath } from '../embedded/postgres-cluster.ts';
import { readPostmaster } from '../embedded/postmaster-file.ts';
import type { ProcessIdentity } from '../embedded/process-identity.ts';
import { readRecord } from '../embedded/temporal-record.ts';

/** The servers of a data directory by its own records: pid and start time, so never somebody else's process. */

export function temporalOf(dataDir: string): ProcessIdentity | undefined {
  return readRecord(dataDir)?.identity;
}

export async function postgresOf(dataDir: string): Promise<ProcessIdentity | undefined> {
  return (await readPostmaster(clusterPath(dataDir)))?.identity;
}
