import { arch, platform } from 'node:os';

/** The backend release whose contract this simulation follows. */
export const VERSION = '2026.7.1';

/** Makes what the backend tells about itself; the tier says that this is a simulation. */
export function environment(engine: string) {
  return {
    version: VERSION,
    engine,
    tier: 'SANDBOX',
    browser: null,
    platform: `${platform()}/${arch()}`,
    worker: { id: 'sandbox' },
  };
}
