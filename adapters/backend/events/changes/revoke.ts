import { z } from 'zod';
import type { ChangedBy, ChangeOf } from '../../../../domain/network/message-change.ts';
import type { Envelope } from '../envelope.ts';
import { eventKeys } from '../event-keys.ts';
import { bareIdOf, parseMessageId } from '../message-id.ts';
import { RawMessage } from '../raw-message.ts';
import { Anything } from '../raw.ts';
import { senderOf } from '../sender.ts';
import { momentOf } from './moment.ts';

const RawRevoke = z.object({ revokedMessageId: Anything, after: RawMessage.nullable().catch(null) });

/** Reads `message.revoked`, by which somebody took a message back. Null when the payload does not say which. */
export function readRevokeEvent(envelope: Envelope): ChangeOf<'revoked'> | null {
  const parsed = RawRevoke.safeParse(envelope.payload);
  const networkId = parsed.success ? bareIdOf(parsed.data.revokedMessageId) : null;
  if (!parsed.success || networkId === null) return null;
  const { after } = parsed.data;
  const id = after === null ? null : parseMessageId(after.id);
  return {
    kind: 'revoked',
    key: eventKeys.revoked({ networkId }),
    networkId,
    by: after === null || id === null ? NOBODY : senderOf(after, id, envelope.me),
    ...momentOf(envelope, after?.timestamp ?? null),
  };
}

/** Some reports do not say who it was. */
const NOBODY: ChangedBy = { fromMe: false, chatId: null, participant: null, aliases: [] };
