import { parseArgs } from 'node:util';

export interface RollOptions {
  seed: number;
  /** The number of APIs, and of workers, for each release. */
  processes: number;
  /** A Temporal that runs already, in place of the one that `npm start` brings. */
  temporalAddress: string | undefined;
}

const USAGE = 'npm run rolling-deploy [-- <seed> --processes <number> --temporal <host:port>]';

/** Reads what stands behind the command. */
export function rollOptions(words: string[]): RollOptions {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: { processes: { type: 'string', default: '1' }, temporal: { type: 'string' } },
  });
  const [seed = String(Math.floor(Math.random() * 1_000_000))] = positionals;
  if (!/^\d{1,9}$/.test(seed) || !/^[1-9]$/.test(values.processes)) throw new Error(USAGE);
  return { seed: Number(seed), processes: Number(values.processes), temporalAddress: values.temporal };
}
