import type { Backend } from '../../backend/client.ts';
import { inTime } from '../in-time.ts';

const CHOOSE_WITHIN_MS = 1_000;
const NO_IDS_FOR_MS = 5_000;

/** Chosen before the call where the backend takes it, so that a lost answer can be looked up by id. */
export function createNetworkIds(backend: Pick<Backend, 'chooseMessageId'>) {
  let noIdsUntil = 0;

  return async function chooseNetworkId(platform: string | null): Promise<string | null> {
    if (Date.now() < noIdsUntil) return null;
    try {
      return await inTime(backend.chooseMessageId(platform), CHOOSE_WITHIN_MS);
    } catch {
      // A backend that cannot say what it is must not hold up every send: without an id the chat itself tells.
      noIdsUntil = Date.now() + NO_IDS_FOR_MS;
      return null;
    }
  };
}
