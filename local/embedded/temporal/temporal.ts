import { realpath } from 'node:fs/promises';
import { watchExit } from '../process/exit-watch.ts';
import { requirePort } from '../port.ts';
import { serverArguments } from './arguments.ts';
import type { ServerChoices } from './arguments.ts';
import { launchTemporal, stopTemporal } from './launch.ts';
import { namespaceIsReady } from './namespace.ts';
import { readRecord } from './record.ts';
import type { TemporalRecord } from './record.ts';

export interface TemporalOptions extends ServerChoices {
  /** The path that `findTemporal` returned. */
  binary: string;
  /** The engine's data directory; it must be locked by this process (`openDataDirectory`). */
  dataDir: string;
  /** Free ports are chosen when left out. */
  port?: number | undefined;
  uiPort?: number | undefined;
  log: (line: string) => void;
}

export interface EmbeddedTemporal {
  address: string;
  /** Null without the web UI. */
  uiUrl: string | null;
  pid: number;
  /** True when a server that an engine left behind (kill -9) was taken over. */
  attached: boolean;
  /** Called once when the server ends by itself; not after `stop`. */
  onExit: (callback: () => void) => void;
  /** Stops the server, even one that was taken over: the owner of the data directory owns its server. */
  stop: () => Promise<void>;
}

/** Go's collector then runs when the heap has grown by half, and more often from 160 MB on. */
const SMALL_HEAP = { GOGC: '50', GOMEMLIMIT: '160MiB' };

export async function startTemporal(options: TemporalOptions): Promise<EmbeddedTemporal> {
  const { binary, namespace, log } = options;
  const dataDir = await realpath(options.dataDir);
  const args = await serverArguments(binary, dataDir, options);
  const uiPort = options.headless === true ? null : options.uiPort;
  const env = options.isSmall === true ? SMALL_HEAP : {};
  const wanted = { env, binary, namespace, dataDir, args, port: options.port, uiPort };

  const leftBehind = await attach(wanted);
  if (leftBehind === undefined) {
    if (wanted.port !== undefined) await requirePort(wanted.port, 'TEMPORAL_PORT', 'Temporal');
    if (uiPort) await requirePort(uiPort, 'TEMPORAL_UI_PORT', "Temporal's web UI");
  }
  const record = leftBehind ?? (await launchTemporal(wanted));
  log(`Temporal ${leftBehind ? 'taken over' : 'started'} on port ${record.port}`);
  const watch = watchExit(record.identity);
  return {
    address: `127.0.0.1:${record.port}`,
    uiUrl: record.uiPort === null ? null : `http://127.0.0.1:${record.uiPort}`,
    pid: record.identity.pid,
    attached: leftBehind !== undefined,
    onExit: (callback) => watch.onExit(callback),
    async stop() {
      watch.cancel();
      await stopTemporal(record.identity);
    },
  };
}

interface Wanted {
  binary: string;
  env: NodeJS.ProcessEnv;
  namespace: string;
  dataDir: string;
  args: string[];
  port: number | undefined;
  uiPort: number | null | undefined;
}

/** Takes over the server that an engine left behind, or stops it when it is not the one we need. */
async function attach(wanted: Wanted): Promise<TemporalRecord | undefined> {
  const record = readRecord(wanted.dataDir);
  if (record === undefined) return undefined;
  if (fits(record, wanted)) {
    const { identity, port } = record;
    if (await namespaceIsReady({ ...wanted, identity, port, timeoutMs: 5_000 })) return record;
  }
  await stopTemporal(record.identity);
  return undefined;
}

function fits(record: TemporalRecord, { args, port, uiPort }: Wanted): boolean {
  return (
    JSON.stringify(record.args) === JSON.stringify(args) &&
    (port === undefined || port === record.port) &&
    (uiPort === undefined || uiPort === record.uiPort)
  );
}
