import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../error-reason.ts';
import { isAlive } from '../process/process-identity.ts';
import type { ProcessIdentity } from '../process/process-identity.ts';

/** The facts about the server that the next engine needs if this one is killed. */
export interface TemporalRecord {
  identity: ProcessIdentity;
  port: number;
  uiPort: number | null;
  /**
   * The arguments with which the server was started. Another version or other search attributes need another server.
   */
  args: string[];
}

const recordPath = (dataDir: string) => join(dataDir, 'temporal.pid');

/**
 * Writes the record synchronously, right after the spawn, because a server without a record would hold the store
 * without any engine knowing.
 */
export function writeRecord(dataDir: string, { identity, port, uiPort, args }: TemporalRecord): void {
  const path = recordPath(dataDir);
  const lines = [identity.pid, identity.startedAt, port, uiPort ?? '', JSON.stringify(args)];
  writeFileSync(`${path}.draft`, lines.join('\n'), { mode: 0o600 });
  renameSync(`${path}.draft`, path);
}

/** Returns the server that an earlier engine left behind, or undefined when it no longer runs. */
export function readRecord(dataDir: string): TemporalRecord | undefined {
  const [pid, startedAt, port, uiPort, args] = readLines(recordPath(dataDir));
  if (!pid || !startedAt || !port || !args) return undefined;
  const identity = { pid: Number(pid), startedAt };
  if (!isAlive(identity)) return undefined;
  return { identity, port: Number(port), uiPort: uiPort ? Number(uiPort) : null, args: parseArgs(args) };
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

function parseArgs(text: string): string[] {
  const args: unknown = JSON.parse(text);
  return Array.isArray(args) ? args.map(String) : [];
}
