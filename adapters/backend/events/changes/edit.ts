import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ChangeOf } from '../../../../domain/network/message-change.ts';
import { wrappedContent } from '../content/inner.ts';
import type { Envelope } from '../envelope.ts';
import { eventKeys } from '../event-keys.ts';
import { bareIdOf, parseMessageId } from '../message-id.ts';
import { RawMessage } from '../raw-message.ts';
import { Anything, Numeric } from '../raw.ts';
import { senderOf } from '../sender.ts';
import { momentOf } from './moment.ts';

const RawEdit = RawMessage.extend({ editedMessageId: Anything });

/** Two edits of a message differ by this many characters of a hash; the network's ids are longer. */
const UNNAMED_ID_LENGTH = 22;

/** Reads `message.edited`. Null when the payload does not say which message has been edited. */
export function readEditEvent(envelope: Envelope): ChangeOf<'edited'> | null {
  const parsed = RawEdit.safeParse(envelope.payload);
  const id = parsed.success ? parseMessageId(parsed.data.id) : null;
  if (!parsed.success || id === null) return null;
  const { editedMessageId, ...raw } = parsed.data;
  const networkId = bareIdOf(editedMessageId) ?? id.networkId;
  const body = raw.body ?? '';
  const ownId = id.networkId === networkId ? (raw._data?.latestEditMsgKey?.id ?? null) : id.networkId;
  // The message of an edit has the time of the message that it edits where it has its id, too.
  const madeAt = sentAtMs(raw) ?? (id.networkId === networkId ? null : raw.timestamp);
  const moment = momentOf(envelope, madeAt);
  const ids = editIds(ownId, body);
  return {
    kind: 'edited',
    key: eventKeys.edited({ networkId, ...ids }),
    networkId,
    by: senderOf(raw, id, envelope.me),
    ...moment,
    ...ids,
    body,
  };
}

/** Names an edit, by its words where no id of its own is told. */
export function editIds(ownId: string | null, body: string): { editId: string; unnamedId: string } {
  const unnamedId = createHash('sha256').update(body).digest('base64url').slice(0, UNNAMED_ID_LENGTH);
  return { editId: ownId ?? unnamedId, unnamedId };
}

const Protocol = z.object({ timestampMs: Numeric, timestampMS: Numeric });
const Edited = z.object({ message: z.object({ protocolMessage: Protocol }) });

/** Reads the time in milliseconds at which the edit was made; two edits of one second need it. */
function sentAtMs(raw: RawMessage): number | null {
  const content = wrappedContent(raw) ?? {};
  const wrapped = Edited.safeParse(content['editedMessage']).data?.message.protocolMessage;
  const plain = wrapped ?? Protocol.safeParse(content['protocolMessage']).data;
  return plain?.timestampMs ?? plain?.timestampMS ?? raw._data?.latestEditSenderTimestampMs ?? null;
}
