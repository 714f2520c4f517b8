import { z } from 'zod';
import type { NetworkEvent } from '../../domain/network/network-event.ts';
import type { Envelope } from './envelope.ts';
import { eventKeys } from './event-keys.ts';
import { bareIdOf } from './message-id.ts';
import { Anything } from './raw.ts';

const RawRevoke = z.object({ revokedMessageId: Anything });

/** Reads `message.revoked`, by which a sender took a message back. Null when the payload does not say which. */
export function readRevokeEvent(envelope: Envelope): NetworkEvent | null {
  const parsed = RawRevoke.safeParse(envelope.payload);
  const networkId = parsed.success ? bareIdOf(parsed.data.revokedMessageId) : null;
  return networkId === null ? null : { kind: 'revoked', key: eventKeys.revoked({ networkId }), networkId };
}
