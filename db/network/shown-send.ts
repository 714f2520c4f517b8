import { z } from 'zod';
import {
  canBeEchoOf,
  goesUnderItsId,
  isToldByWords,
  POSSIBLE_SLACK_S,
  shownAs,
  SURE_SLACK_S,
} from '../../domain/sending/echo.ts';
import type { Sent } from '../../domain/sending/echo.ts';
import { UNCERTAIN_OPEN_MS } from '../../domain/sending/message-state.ts';
import type { NetworkMessage } from '../../domain/network/network-event.ts';
import { hasParkedAck } from '../sending/acks/acks.ts';
import { SentColumns } from '../sending/open-send.ts';
import type { Queries } from '../engine/tx.ts';
import { rows } from '../engine/rows.ts';
import type { Message } from '../conversations/message.ts';
import { listBoundNetworkIds, listParkedOwnMessages } from './own-message.ts';

export type ShownSend =
  | { shown: 'yes'; networkId: string; renderedAs: 'native' | 'text' | null }
  /** A message is shown that may be the send or a person's, so the send is neither found nor absent. */
  | { shown: 'perhaps' }
  | { shown: 'no' };

const Rival = SentColumns.extend({
  conversationId: z.string(),
  chosenNetworkId: z.string().nullable(),
  fromS: z.number(),
  untilS: z.number().nullable(),
});
type Rival = z.infer<typeof Rival>;

/** Answers, in unix seconds, the earliest time of a shown message that may be the send. */
export function shownSince(send: Pick<Message, 'claimedAt' | 'createdAt'>): number {
  return claimedAtS(send) - POSSIBLE_SLACK_S;
}

function claimedAtS({ claimedAt, createdAt }: Pick<Message, 'claimedAt' | 'createdAt'>): number {
  return Math.floor((claimedAt ?? createdAt).getTime() / 1_000);
}

/**
 * Tells whether the network shows the send, in parked events or in a read of its chat: by the id under which it went,
 * by an ack of that id, or by its words. A message that may as well be another send, or is of another time, is not
 * taken for it. A message of another chat is not either, unless that chat is a hidden id which may be this contact's.
 */
export async function findShownSend(
  queries: Queries,
  send: Message,
  inChat: readonly NetworkMessage[],
): Promise<ShownSend> {
  const { sessionId, conversationId } = send;
  const sent: Sent = { ...send, content: send.content ?? null };
  const chosen = send.chosenNetworkId ?? null;
  const told = await listParkedOwnMessages(queries, { sessionId, conversationId, chosenNetworkId: chosen });
  const all = [...told, ...inChat.map((message) => ({ message, conversationId }))];
  const byId = chosen === null ? undefined : all.find(({ message }) => message.networkId === chosen)?.message;
  if (byId) return { shown: 'yes', networkId: byId.networkId, renderedAs: shownAs(byId, sent) };
  if (chosen !== null && (await hasParkedAck(queries, sessionId, chosen))) {
    // Native buttons and lists go under an id that the backend chooses, so a message under our id went as text.
    const isInteractive = (sent.content?.buttons ?? sent.content?.list) !== undefined;
    return { shown: 'yes', networkId: chosen, renderedAs: isInteractive ? 'text' : null };
  }
  const sinceS = shownSince(send);
  const alike = all.filter(
    ({ message, conversationId: chat }) =>
      // A message without a time cannot be ruled out.
      (message.timestamp === 0 || message.timestamp >= sinceS) &&
      canBeEchoOf(message, sent) &&
      // Messages without words look alike, so only those of this chat count.
      (chat === conversationId || (isToldByWords(message, send) && message.source !== 'app' && !goesUnderItsId(send))),
  );
  if (alike.length === 0) return { shown: 'no' };
  const bound = await listBoundNetworkIds(
    queries,
    // A message that was there before the second attempt may be the first attempt.
    { sessionId, messageId: send.id, claimedAt: send.attempts > 1 ? null : (send.claimedAt ?? null) },
    alike.map(({ message }) => message.networkId),
  );
  const free = alike.filter(({ message }) => !bound.has(message.networkId));
  if (free.length === 0) return { shown: 'no' };
  const sureSinceS = claimedAtS(send) - SURE_SLACK_S;
  // After a restart of its session the backend says of our sends, too, that a person wrote them, so `source` rules no
  // rival out.
  const rivals = await listRivals(queries, send);
  const match = free.find(
    ({ message, conversationId: chat }) =>
      // The words of a contact may be the same.
      message.fromMe &&
      message.timestamp >= sureSinceS &&
      message.source !== 'app' &&
      !goesUnderItsId(send) &&
      !rivals.some((rival) => mayBeRivals(message, chat, rival)),
  )?.message;
  if (!match) return { shown: 'perhaps' };
  return { shown: 'yes', networkId: match.networkId, renderedAs: shownAs(match, sent) };

  /**
   * True when the message may be the rival send. A message of another chat may be any rival, because that chat may be a
   * hidden id of the rival's contact.
   */
  function mayBeRivals(message: NetworkMessage, chat: string, rival: Rival): boolean {
    const isThere = chat === conversationId ? rival.conversationId === conversationId : true;
    return (
      isThere &&
      !goesUnderItsId(rival) &&
      rival.fromS - POSSIBLE_SLACK_S <= message.timestamp &&
      (rival.untilS === null || message.timestamp <= rival.untilS + POSSIBLE_SLACK_S) &&
      canBeEchoOf(message, rival)
    );
  }
}

/** Lists the other sends of the session whose outcome is open. */
async function listRivals(queries: Queries, { id, sessionId }: Message): Promise<Rival[]> {
  return rows(queries, Rival)`
    select conversation_id as "conversationId", chosen_network_id as "chosenNetworkId", kind, body, content,
      extract(epoch from claimed_at)::float8 as "fromS", extract(epoch from ended_at)::float8 as "untilS"
    from message
    where session_id = ${sessionId} and id <> ${id} and claimed_at is not null and (status = 'sending'
      or (status = 'uncertain'
        and ended_at > ${queries.now}::timestamptz - ${UNCERTAIN_OPEN_MS} * interval '1 millisecond'))`;
}
