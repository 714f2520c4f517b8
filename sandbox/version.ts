import { arch, platform } from 'node:os';

/** The backend release whose contract this simulation follows. */
export const VERSION = '2026.7.1';

/** What the backend tells about itself; the tier says honestly that nobody real is behind it. */
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
