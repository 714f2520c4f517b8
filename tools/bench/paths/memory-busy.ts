import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild } from '../child.ts';
import { freePort } from '../../../local/embedded/port.ts';
import { memoryBelow } from '../fleet/memory-use.ts';
import { ENCRYPTION_KEY } from '../machine.ts';
import type { Machine } from '../machine.ts';
import { Receivers } from '../receivers.ts';
import type { Result } from '../result.ts';
import { round } from '../statistics.ts';
import { layGround, openDatabase } from '../webhook-ground.ts';
import { writeEvents } from '../write-events.ts';

const ENDPOINTS = 10;
const RATE = 200;
const SECONDS = 10;
const MAX_MB = 550;
const PATIENCE_MS = 30_000;

/**
 * Measures the memory of everything that `npm start` runs, its own PostgreSQL and Temporal too, after ten seconds of
 * events. Pages that processes share are divided among them.
 */
export async function memoryBusy(machine: Machine): Promise<Result[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'engine-bench-start-'));
  const receivers = await Receivers.start(ENDPOINTS);
  const ports = { api: await freePort(), postgres: await freePort(), temporal: await freePort(), ui: await freePort() };
  const { PATH = '', HOME = '' } = machine.env();
  const engine = await startChild('../../bin/start.mjs', [], {
    ready: /Stop with Ctrl-C/,
    env: {
      PATH,
      HOME,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      EGRESS_ALLOW: '127.0.0.0/8',
      ENGINE_ENCRYPTION_KEY: ENCRYPTION_KEY,
      PORT: String(ports.api),
      POSTGRES_PORT: String(ports.postgres),
      TEMPORAL_PORT: String(ports.temporal),
      TEMPORAL_UI_PORT: String(ports.ui),
      SANDBOX_PORT: String(await freePort()),
    },
  });
  try {
    const password = (await readFile(join(dataDir, 'postgres-password'), 'utf8')).trim();
    const databaseUrl = `postgres://postgres:${password}@127.0.0.1:${ports.postgres}/engine`;
    const database = await openDatabase(databaseUrl, 2);
    await layGround(
      database,
      receivers.urls.map((url) => [url]),
    );
    await database.close();
    const streams = [{ tenants: receivers.urls.map((_, index) => index), transactionsPerSecond: RATE, eventsEach: 1 }];
    const { written } = await writeEvents({ databaseUrl, streams, seconds: SECONDS, firstIndex: 0 });
    const processes = memoryBelow(engine.pid);
    await receivers.until(written.length, PATIENCE_MS);
    const of = (words: RegExp): number =>
      processes.reduce((sum, { command, megabytes }) => sum + (words.test(command) ? megabytes : 0), 0);
    const [all, postgres, temporal] = [of(/./), of(/postgres/), of(/ server start-dev /)];
    return [
      {
        path: `memory of npm start at ${RATE} events/s, everything`,
        measured: `${round(all, 0)} MB (engine ${round(all - postgres - temporal, 0)}, PostgreSQL ${round(postgres, 0)}, Temporal ${round(temporal, 0)})`,
        baseline: '',
        ratio: null,
        aim: `≤ ${MAX_MB} MB`,
        met: all <= MAX_MB,
      },
    ];
  } finally {
    await engine.stop();
    await receivers.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
