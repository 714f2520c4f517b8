import { readFileSync, rmSync, writeFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import { identify, isAlive } from '../local/embedded/process/process-identity.ts';
import { VERSION } from './version.ts';

/** The addresses of a running `npm start`, which it writes into its data directory for the command line. */
const EngineRecord = z.object({
  version: z.string(),
  pid: z.int(),
  /** With it the process is known for good: another one may get its pid later. */
  processStartedAt: z.string(),
  startedAt: z.string(),
  url: z.string(),
  /** Null when the backend is another than the bundled sandbox. */
  sandboxPort: z.int().nullable(),
  temporal: z.object({
    address: z.string(),
    namespace: z.string().nullable(),
    /** The program and the web UI of the Temporal that the engine has started; null with another. */
    program: z.string().nullable(),
    uiPort: z.int().nullable(),
  }),
  /** The address of the embedded PostgreSQL with its password; null with another, whose address stays with its owner. */
  databaseUrl: z.string().nullable(),
});
export type EngineRecord = z.infer<typeof EngineRecord>;

const pathIn = (dataDir: string): string => join(dataDir, 'engine.json');

/** Writes the record, readable by its owner only. Returns the step that removes it. */
export function writeEngineRecord(dataDir: string, config: Config, given: Config): () => Promise<void> {
  const isEmbedded = given.temporalAddress === undefined;
  const record: EngineRecord = {
    version: VERSION,
    pid: process.pid,
    processStartedAt: identify(process.pid)?.startedAt ?? '',
    startedAt: new Date().toISOString(),
    url: config.publicUrl,
    sandboxPort: given.backends.length === 0 ? Number(new URL(config.backends[0]?.url ?? '').port) : null,
    temporal: {
      address: config.temporalAddress ?? '',
      namespace: config.temporalNamespace ?? null,
      program: isEmbedded ? (config.temporalCliPath ?? null) : null,
      uiPort: isEmbedded ? config.temporalUiPort : null,
    },
    databaseUrl: given.databaseUrl === undefined ? (config.databaseUrl ?? null) : null,
  };
  const path = pathIn(dataDir);
  writeFileSync(`${path}.draft`, JSON.stringify(record, null, 2), { mode: 0o600 });
  renameSync(`${path}.draft`, path);
  return async () => rmSync(path, { force: true });
}

/** Returns the record of the engine that runs on this data directory; null when none runs there. */
export function readEngineRecord(dataDir: string): EngineRecord | null {
  const record = EngineRecord.safeParse(readJson(pathIn(dataDir))).data;
  if (record === undefined) return null;
  return isAlive({ pid: record.pid, startedAt: record.processStartedAt }) ? record : null;
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // There is none, or another release has written it: the engine is then looked for as if there were none.
    return null;
  }
}
