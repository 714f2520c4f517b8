import { arch, platform } from 'node:os';

import type { Engine } from './state/fact.ts';

/** The backend release whose contract this simulation follows, unless it is told to play another one. */
export const VERSION = '2026.7.1';

/** Makes what the backend tells about itself; the tier says that this is a simulation. */
export function environment(version: string, engine: string) {
  return {
    version,
    engine,
    tier: 'SANDBOX',
    browser: null,
    platform: `${platform()}/${arch()}`,
    worker: { id: 'sandbox' },
  };
}

/** The first release whose NOWEB blocks contacts and reads about texts. */
const NOWEB_BLOCKS_SINCE = [2026, 8] as const;

/** Tells whether a release of the backend can block contacts and read about texts on this engine. */
export function blocksOn(engine: Engine, version: string): boolean {
  const [year = 0, month = 0] = version.split('.').map(Number);
  const [sinceYear, sinceMonth] = NOWEB_BLOCKS_SINCE;
  const isNew = year > sinceYear || (year === sinceYear && month >= sinceMonth);
  return engine === 'WEBJS' || (engine === 'NOWEB' && isNew);
}
