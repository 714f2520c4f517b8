import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Account } from '../calls/account.ts';
import { Anything, Numeric, Text } from './raw.ts';

/** The envelope that surrounds every event of the backend (`docs/extend/backend.md#events`, 4). */
export const Envelope = z.object({
  id: Text,
  timestamp: Numeric,
  event: z.string().min(1).max(128),
  session: z.string().min(1).max(256),
  me: Account,
  engine: Text,
  payload: Anything,
});
export type Envelope = z.output<typeof Envelope>;

/** Makes an id of the event for events whose content is not read: the backend's id, or else a digest of the body. */
export function envelopeId(envelope: Envelope, rawBody: string): string {
  return envelope.id ?? createHash('sha256').update(rawBody).digest('hex');
}
