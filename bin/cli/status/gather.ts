import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readEngineStatus } from '../../../db/operations/engine-status.ts';
import { ownerOf } from '../../../local/embedded/directory-lock.ts';
import { reasonOf } from '../../../local/embedded/error-reason.ts';
import { readTemporalState } from '../../../loops/dispatch/temporal-state.ts';
import { temporalTarget } from '../../temporal-target.ts';
import { VERSION } from '../../version.ts';
import { askJson } from '../ask-json.ts';
import type { Home } from '../home.ts';
import { readSecret } from '../target.ts';
import type { ApiFacts, DiskFacts, Facts, Found, TemporalFacts } from './facts.ts';

const API_WITHIN_MS = 5_000;
/** The lines below say it in full, from the rows themselves. */
const JUDGED_FROM_ROWS = 'work';
const TIMED = ['database', 'temporal'];

const Ready = z.object({
  dependencies: z.array(z.object({ name: z.string(), ok: z.boolean(), reason: z.string().nullable(), ms: z.number() })),
});

/** Asks everything at once. A service without a response is reported, and does not stop the other reports. */
export async function gatherFacts({ config, running }: Home): Promise<Facts> {
  const { temporalAddress, temporalUiUrl, publicUrl, dataDir } = config;
  // A transaction pooler refuses the settings of these connections.
  const databaseUrl = config.databaseDirectUrl ?? config.databaseUrl;
  const comesOrGoes = running === null ? ((await ownerOf(dataDir)) ?? null) : null;
  const none = (variable: string) =>
    missing(
      comesOrGoes === null
        ? `none: no engine runs on this data directory, and ${variable} is not set`
        : 'not known while the engine starts or stops',
    );
  const [api, database, temporal, disk] = await Promise.all([
    found(() => readApi(publicUrl)),
    databaseUrl === undefined
      ? none('DATABASE_URL')
      : found(async () => readEngineStatus(databaseUrl, await keysOf(config))),
    temporalAddress === undefined
      ? none('TEMPORAL_ADDRESS')
      : found<TemporalFacts>(async () => ({
          address: temporalAddress,
          ...(await readTemporalState(temporalTarget(config))),
        })),
    readDisk(dataDir).catch(() => null),
  ]);
  return {
    version: VERSION,
    node: process.versions.node,
    runs: running && { pid: running.pid, version: running.version, since: running.startedAt },
    comesOrGoes,
    uiUrl: running?.temporal.uiPort
      ? dailyView(`http://127.0.0.1:${running.temporal.uiPort}`, running.temporal.namespace ?? 'default')
      : temporalUiUrl === undefined
        ? null
        : dailyView(temporalUiUrl, config.temporalNamespace ?? 'default'),
    api,
    database,
    temporal,
    disk,
  };
}

/** An engine of this machine keeps its keys in files; without them the status says less. */
async function keysOf(config: Home['config']): Promise<{ current: string; previous: string | undefined } | null> {
  const kept = (name: string): Promise<string | undefined> => readSecret(config, name, name).catch(() => undefined);
  const current = config.engineEncryptionKey ?? (await kept('encryption-key'));
  const previous = config.engineEncryptionKeyPrevious ?? (await kept('encryption-key.previous'));
  return current === undefined ? null : { current, previous };
}

/** The list of what matters each day: without the runs of the schedule, which would be half of it. */
function dailyView(ui: string, namespace: string): string {
  const query = encodeURIComponent('WorkflowType != "reconcile"');
  return `${ui}/namespaces/${namespace}/workflows?query=${query}&savedQuery=Daily`;
}

const missing = (why: string): { is: 'missing'; why: string } => ({ is: 'missing', why });

async function found<T>(read: () => Promise<T>): Promise<Found<T>> {
  try {
    return { is: 'found', value: await read() };
  } catch (error) {
    return missing(`cannot be read: ${reasonOf(error)}`);
  }
}

async function readApi(url: string): Promise<ApiFacts> {
  const answer = await askJson(`${url}/readyz`, { timeoutMs: API_WITHIN_MS });
  const { dependencies } = Ready.parse(answer.body);
  return {
    url,
    troubles: dependencies
      .filter(({ name, ok }) => !ok && name !== JUDGED_FROM_ROWS)
      .map(({ name, reason }) => `${name}: ${reason ?? 'is not well'}`),
    answers: dependencies.filter(({ name }) => TIMED.includes(name)).map(({ name, ms }) => ({ name, ms })),
  };
}

async function readDisk(dataDir: string): Promise<DiskFacts> {
  const { bavail, bsize } = await statfs(dataDir);
  return { dataDir, usedBytes: await sizeOf(dataDir), freeBytes: bavail * bsize };
}

/** Adds up the files below. A file that goes away meanwhile, or that may not be seen, counts nothing. */
async function sizeOf(directory: string): Promise<number> {
  const names = await readdir(directory, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(directory, name)).then(
        (entry) => (entry.isFile() ? entry.size : 0),
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
