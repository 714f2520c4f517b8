import { randomBytes } from 'node:crypto';
import type { createCapabilities } from './capabilities.ts';

/** The form that the network's own web clients use: a fixed beginning and 18 upper-case hex digits (`docs/backend.md#ids`, 5). */
const BEGINNING = '3EB0';
const RANDOM_BYTES = 9;

/**
 * An id to send under, so that an uncertain send is found again; null where the backend would ignore it. Made here: the
 * backend's own route for it would cost every send a second round trip.
 */
export function createChooseMessageId(capabilities: ReturnType<typeof createCapabilities>) {
  return async function chooseMessageId(platform?: string | null): Promise<string | null> {
    if (!(await capabilities(platform)).callerChosenIds) return null;
    return BEGINNING + randomBytes(RANDOM_BYTES).toString('hex').toUpperCase();
  };
}
