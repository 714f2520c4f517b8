import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { endProcess, spawnDetached } from '../process/child-process.ts';
import type { ProcessIdentity } from '../process/process-identity.ts';
import { logPosition, logSince } from '../log-file.ts';
import { freePort } from '../port.ts';
import { StartupError } from '../startup-error.ts';
import { namespaceIsReady } from './namespace.ts';
import { writeRecord } from './record.ts';
import type { TemporalRecord } from './record.ts';

const ATTEMPTS = 3;
/** A server takes its time to open a large store after a kill. */
const READY_WITHIN_MS = 60_000;

interface LaunchOptions {
  binary: string;
  dataDir: string;
  namespace: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  port: number | undefined;
  /** Null starts the server without its web UI. */
  uiPort: number | null | undefined;
}

/** Starts the server and waits until it answers for the namespace. */
export async function launchTemporal(options: LaunchOptions): Promise<TemporalRecord> {
  const logPath = join(options.dataDir, 'temporal.log');
  await closeStores(options.dataDir);
  for (let attempt = 1; ; attempt++) {
    const position = logPosition(logPath);
    const record = await tryOnce(options, logPath);
    if (record !== undefined) return record;
    const log = logSince(logPath, position);
    // A free port that we chose may be taken by another program a moment later.
    if (attempt < ATTEMPTS && log.includes('address already in use')) continue;
    throw new StartupError(
      `Temporal did not start (${reason(log)}): see ${logPath}, ` +
        'or set TEMPORAL_ADDRESS to a running Temporal server.',
    );
  }
}

/** Takes others' rights to the stores away, which servers of 0.1.0 left them. */
async function closeStores(dataDir: string): Promise<void> {
  const stores = (await readdir(dataDir)).filter((name) => /^temporal-.*\.db/.test(name));
  await Promise.all(stores.map((name) => chmod(join(dataDir, name), 0o600)));
}

async function tryOnce(options: LaunchOptions, logPath: string): Promise<TemporalRecord | undefined> {
  const { binary, dataDir, namespace, args } = options;
  const port = options.port ?? (await freePort());
  const uiPort = options.uiPort === undefined ? await freePort() : options.uiPort;
  const ports = ['--port', String(port), ...(uiPort === null ? [] : ['--ui-port', String(uiPort)])];
  const identity = await spawnDetached(binary, [...args, ...ports], { env: options.env, logPath });
  if (identity === undefined) return undefined;
  const record = { identity, port, uiPort, args };
  writeRecord(dataDir, record);
  if (await namespaceIsReady({ binary, port, namespace, identity, timeoutMs: READY_WITHIN_MS })) return record;
  await stopTemporal(identity);
  return undefined;
}

/** Returns the program's own last words, because its structured log is full of warnings that are normal at a start. */
function reason(log: string): string {
  return /^Error: (?<words>.*)/m.exec(log)?.groups?.['words'] ?? 'it does not answer for its namespace';
}

/**
 * Stops the server. Its store is a write-ahead log, so nothing that was answered is lost when the server must be
 * killed.
 */
export function stopTemporal(identity: ProcessIdentity): Promise<void> {
  return endProcess(identity, { name: 'Temporal', signals: ['SIGTERM', 'SIGKILL'], withinMs: 5_000 });
}
