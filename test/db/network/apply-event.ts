import { applyNetworkEvents } from '../../../db/network/ingest.ts';
import type { EventSession } from '../../../db/network/network-message.ts';
import type { Tx } from '../../../db/engine/tx.ts';
import type { NetworkEvent } from '../../../domain/network/network-event.ts';

/** Applies one event, as a batch of it alone. */
export function applyNetworkEvent(
  tx: Tx,
  session: EventSession,
  event: NetworkEvent,
  receivedAt: Date | null = null,
): Promise<void> {
  return applyNetworkEvents(tx, [{ session, event, receivedAt }]);
}
