import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findTemporalProgram } from '../temporal-program.ts';
import { CommandError } from './command-error.ts';
import type { Home } from './home.ts';

/**
 * Runs Temporal's command line against the Temporal of the engine, with the words as they are; an `--address` among
 * them counts more. Returns its exit code.
 */
export async function runTemporal(words: string[], { config }: Home): Promise<number> {
  if (config.temporalAddress === undefined) {
    throw new CommandError(
      `No engine runs on ${config.dataDir}, and TEMPORAL_ADDRESS is not set: start the engine with "npm start", or set DATA_DIR or TEMPORAL_ADDRESS.`,
    );
  }
  const program = await findTemporalProgram(config, (line) => console.error(line));
  // An engine of `npm start` says its namespace. Only Temporal's own profiles take its packages to read.
  const namespace = config.temporalNamespace ?? (await import('../temporal-target.ts')).temporalNamespace(config);
  const child = spawn(program, words, {
    stdio: 'inherit',
    env: { ...config.environment, TEMPORAL_ADDRESS: config.temporalAddress, TEMPORAL_NAMESPACE: namespace },
  });
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : 1;
}
