import { sql } from 'kysely';
import { canBeEchoOf, goesUnderItsId, shownAs } from '../domain/echo.ts';
import type { Sent } from '../domain/echo.ts';
import { UNCERTAIN_OPEN_MS } from '../domain/message-state.ts';
import type { NetworkMessage } from '../domain/network-event.ts';
import type { Tx } from './database.ts';
import { recordSent } from './outcome.ts';

/** The network's clock and ours may differ by this much. */
const CLOCK_SLACK_S = 5;

/** A send whose outcome is open, as far as an echo can be compared with it. */
export interface OpenSend {
  conversationId: string;
  body: string;
  chosenNetworkId: string | null;
}

/** The sends of a session that an own message of unknown id may belong to: under way, or uncertain. */
export async function listOpenSends(tx: Tx, sessionId: string): Promise<OpenSend[]> {
  const { rows } = await sql<OpenSend>`
    select conversation_id as "conversationId", body, chosen_network_id as "chosenNetworkId" from message
    where session_id = ${sessionId} and (status = 'sending'
      or (status = 'uncertain' and ended_at > ${tx.now}::timestamptz - ${UNCERTAIN_OPEN_MS} * interval '1 millisecond'))`.execute(
    tx.sql,
  );
  return rows;
}

/**
 * Whether the message may be the echo of one of them. By body in the whole session, because an echo may come under
 * another address of the chat than the send went to.
 */
export function mayBeOf(message: NetworkMessage, conversationId: string, sends: readonly OpenSend[]): boolean {
  return sends.some(
    (send) =>
      send.chosenNetworkId === message.networkId ||
      send.conversationId === conversationId ||
      send.body === message.body,
  );
}

/**
 * The network shows an uncertain send after all: it was sent. True when the message was that; one that may as well be a send
 * under way in its chat is left for that.
 */
export async function resolveUncertain(
  tx: Tx,
  sessionId: string,
  conversationId: string,
  message: NetworkMessage,
): Promise<boolean> {
  const { rows } = await sql<
    Sent & {
      messageId: string;
      conversationId: string;
      chosenNetworkId: string | null;
      status: 'sending' | 'uncertain';
    }
  >`
    select id as "messageId", conversation_id as "conversationId", chosen_network_id as "chosenNetworkId", kind, body, content, status
    from message
    where (conversation_id = ${conversationId} and status = 'sending') or (session_id = ${sessionId} and status = 'uncertain'
      and ended_at > ${tx.now}::timestamptz - ${UNCERTAIN_OPEN_MS} * interval '1 millisecond'
      and (chosen_network_id = ${message.networkId} or (conversation_id = ${conversationId}
        and claimed_at <= to_timestamp(${message.timestamp + CLOCK_SLACK_S})
        and ended_at >= to_timestamp(${message.timestamp - CLOCK_SLACK_S}))))
    order by (chosen_network_id = ${message.networkId}) desc nulls last, claimed_at`.execute(tx.sql);
  const alike = rows.filter(
    (row) =>
      row.chosenNetworkId === message.networkId ||
      (message.source !== 'app' && !goesUnderItsId(row) && canBeEchoOf(message, row)),
  );
  const [send] = alike;
  if (send === undefined) return false;
  const isByItsId = send.chosenNetworkId === message.networkId;
  if (send.status === 'sending' || (!isByItsId && alike.some(({ status }) => status === 'sending'))) return false;
  const { networkId } = message;
  const found = { messageId: send.messageId, conversationId: send.conversationId, networkId };
  const renderedAs = shownAs(message, send) ?? undefined;
  return (await recordSent(tx, { ...found, token: null, isShown: true, renderedAs })) !== null;
}
