import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { findTemporal } from '../local/embedded/temporal/binary.ts';

/** Returns the path of Temporal's program, which is fetched where there is none. */
export function findTemporalProgram(given: Config, say: (line: string) => void): Promise<string> {
  return findTemporal({
    kind: 'cli',
    cliPath: given.temporalCliPath,
    pathVariable: given.environment['PATH'],
    env: given.environment,
    cacheDir: join(homedir(), '.cache', 'messaging-automation-engine'),
    log: say,
  });
}
