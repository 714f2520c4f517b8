import { z } from 'zod';
import type { NetworkEvent } from '../../../domain/network/network-event.ts';
import type { Envelope } from './envelope.ts';
import { eventKeys } from './event-keys.ts';
import { Anything, Numeric, pastMilliseconds } from './raw.ts';

const RawSessionStatus = z.object({
  status: z.string().regex(/^[A-Z0-9_]{1,64}$/),
  statuses: z
    .array(z.object({ status: Anything, timestamp: Numeric }))
    .nullable()
    .catch(null),
});

/**
 * Reads `session.status`. Null without a status or without a time, because a report without a time could overwrite a
 * newer one.
 */
export function readSessionEvent(envelope: Envelope): NetworkEvent | null {
  const parsed = RawSessionStatus.safeParse(envelope.payload);
  if (!parsed.success) return null;
  const { status, statuses } = parsed.data;
  // `statuses` holds the last three; its newest entry of this status tells when the session reached it.
  const reached = statuses?.findLast((entry) => entry.status === status)?.timestamp ?? envelope.timestamp;
  if (reached === null) return null;
  const at = pastMilliseconds(reached);
  return {
    kind: 'session',
    key: eventKeys.session({ status, at }),
    status,
    at,
    me: envelope.me,
    platform: envelope.engine,
  };
}
