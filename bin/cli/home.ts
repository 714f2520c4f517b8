import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../config/config.ts';
import { readEngineRecord } from '../engine-record.ts';
import type { EngineRecord } from '../engine-record.ts';

/** The data directory of the checkout that this program is part of, for commands that are given elsewhere. */
const OWN_DATA_DIR = fileURLToPath(new URL('../../data', import.meta.url));

/** The engine that a command is about. */
export interface Home {
  /** The configuration by which the engine is reached: what runs counts more than what is set here. */
  config: Config;
  /** The engine of `npm start` that runs on the data directory; null when none runs there. */
  running: EngineRecord | null;
}

/** Finds the engine by its data directory, so that commands need no variables on the machine where it runs. */
export function findHome(given: Config): Home {
  const isChosen = (given.environment['DATA_DIR'] ?? '') !== '';
  const places = isChosen ? [given.dataDir] : [given.dataDir, OWN_DATA_DIR];
  for (const dataDir of places) {
    const running = readEngineRecord(dataDir);
    if (running !== null) return { running, config: reaching(running, { ...given, dataDir }) };
  }
  const kept = places.find((dataDir) => existsSync(join(dataDir, 'engine-api-key')));
  return { running: null, config: { ...given, dataDir: kept ?? given.dataDir } };
}

function reaching({ url, sandboxPort, temporal, databaseUrl }: EngineRecord, given: Config): Config {
  return {
    ...given,
    publicUrl: url,
    sandboxPort: sandboxPort ?? given.sandboxPort,
    temporalAddress: temporal.address,
    temporalNamespace: temporal.namespace ?? undefined,
    temporalCliPath: temporal.program ?? given.temporalCliPath,
    temporalUiPort: temporal.uiPort ?? given.temporalUiPort,
    databaseUrl: databaseUrl ?? given.databaseUrl,
    databaseDirectUrl: databaseUrl ?? given.databaseDirectUrl,
  };
}
