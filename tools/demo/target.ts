import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Config } from '../../config/config.ts';

/** A running engine and the keys to it. */
export interface Target {
  url: string;
  masterKey: string;
  psk: string;
  sandboxUrl: string;
  sandboxKey: string;
}

export const USAGE = `npm run demo -- [--start] [--url URL] [--master-key KEY] [--psk PSK] [--sandbox-url URL] [--sandbox-key KEY]

  Without flags it drives the engine that "npm start" runs on this machine, whose keys are in its data directory.
  --start   starts an engine of its own on a temporary data directory and stops it at the end.`;

export function readFlags(words: string[]) {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: words,
    options: {
      start: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      url: text,
      'master-key': text,
      psk: text,
      'sandbox-url': text,
      'sandbox-key': text,
    },
  });
  return values;
}
export type Flags = ReturnType<typeof readFlags>;

/** Finds the engine by the flags, and without them by the engine's own configuration and data directory. */
export async function findTarget(flags: Flags, config: Pick<Config, 'dataDir' | 'publicUrl' | 'sandboxPort'>) {
  const secret = (name: string): Promise<string> => readSecret(config.dataDir, name);
  const target: Target = {
    url: flags.url ?? config.publicUrl,
    masterKey: flags['master-key'] ?? (await secret('engine-api-key')),
    psk: flags.psk ?? (await secret('internal-psk')),
    sandboxUrl: flags['sandbox-url'] ?? `http://127.0.0.1:${config.sandboxPort}`,
    sandboxKey: flags['sandbox-key'] ?? (await secret('sandbox-api-key')),
  };
  return target;
}

async function readSecret(dataDir: string, name: string): Promise<string> {
  try {
    return (await readFile(join(dataDir, name), 'utf8')).trim();
  } catch (error) {
    throw new Error(
      `There is no ${name} in ${dataDir}: run "npm start" first, use --start, or give the keys as flags (--help).`,
      { cause: error },
    );
  }
}
