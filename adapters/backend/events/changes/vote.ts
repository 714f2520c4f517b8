import { z } from 'zod';
import type { NetworkEvent } from '../../../../domain/network/network-event.ts';
import type { Envelope } from '../envelope.ts';
import { eventKeys } from '../event-keys.ts';
import { reasonToIgnoreChat } from '../message-event.ts';
import { bareIdOf, parseMessageId } from '../message-id.ts';
import { RawMessage } from '../raw-message.ts';
import { Anything, Words } from '../raw.ts';
import { senderOf } from '../sender.ts';
import { momentOf } from './moment.ts';

const RawVote = z.object({
  vote: RawMessage.extend({ selectedOptions: z.array(Words).nullable().catch(null) }),
  poll: z.object({ id: Anything }),
});

/** `poll.vote.failed` tells of a vote that the backend could not read. */
const FAILED = 'poll.vote.failed';

/** Reads `poll.vote` and `poll.vote.failed`. Null when the payload does not say of which poll. */
export function readVoteEvent(envelope: Envelope): NetworkEvent | null {
  const parsed = RawVote.safeParse(envelope.payload);
  const id = parsed.success ? parseMessageId(parsed.data.vote.id) : null;
  const networkId = parsed.success ? bareIdOf(parsed.data.poll.id) : null;
  if (!parsed.success || id === null || networkId === null) return null;
  const key = eventKeys.vote(id);
  const reason = reasonToIgnoreChat(id.chatId);
  if (reason !== null) return { kind: 'ignored', key, reason };
  const { vote } = parsed.data;
  return {
    kind: 'vote',
    key,
    networkId,
    by: senderOf(vote, id, envelope.me),
    ...momentOf(envelope, vote.timestamp),
    options: envelope.event === FAILED ? null : vote.selectedOptions,
  };
}
