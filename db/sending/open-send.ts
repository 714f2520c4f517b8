import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { canBeEchoOf, goesUnderItsId, POSSIBLE_SLACK_S, shownAs, SURE_SLACK_S } from '../../domain/sending/echo.ts';
import type { OpenSend } from '../../domain/sending/echo.ts';
import { MessageContent } from '../../domain/sending/content.ts';
import { MessageKind } from '../../domain/sending/message-kind.ts';
import { MessageStatus } from '../../domain/sending/message.ts';
import { UNCERTAIN_OPEN_MS } from '../../domain/sending/message-state.ts';
import type { NetworkMessage } from '../../domain/network/network-event.ts';
import { WORKING } from '../../domain/sessions/session.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { rows } from '../engine/rows.ts';
import { recordSent } from './outcome.ts';

/** The columns of a send that an echo is compared with. */
export const SentColumns = z.object({ kind: MessageKind, body: z.string(), content: MessageContent.nullable() });

const OpenSendRow = SentColumns.extend({
  conversationId: z.string(),
  chosenNetworkId: z.string().nullable(),
  isRemembered: z.boolean(),
});

/**
 * Lists the sends of a session whose outcome is open: sends under way, and with `uncertain_too` also those that ended
 * uncertain.
 */
export async function listOpenSends(
  queries: Queries,
  sessionId: string,
  which: 'under_way' | 'uncertain_too',
): Promise<OpenSend[]> {
  return rows(queries, OpenSendRow)`
    select m.conversation_id as "conversationId", m.chosen_network_id as "chosenNetworkId", m.kind, m.body, m.content,
      coalesce(s.status = ${WORKING} and s.status_changed_at <= m.claimed_at, false) as "isRemembered"
    from message m join session s on s.id = m.session_id
    where m.session_id = ${sessionId}
      and (m.status = 'sending' or (${which === 'uncertain_too'} and m.status = 'uncertain'
        and m.ended_at > ${queries.now}::timestamptz - ${UNCERTAIN_OPEN_MS} * interval '1 millisecond'))`;
}

const Candidate = SentColumns.extend({
  messageId: z.string(),
  conversationId: z.string(),
  chosenNetworkId: z.string().nullable(),
  status: MessageStatus,
});

/**
 * Records an uncertain send as sent when the network shows it after all, even if an operator has resolved it as not
 * sent. True when the message was such a send. A message that may be a send under way in its chat is left for that
 * send.
 */
export async function resolveUncertain(
  tx: Tx,
  sessionId: string,
  conversationId: string,
  message: NetworkMessage,
): Promise<boolean> {
  const isSure = isOfItsTime(message, SURE_SLACK_S);
  // A message that the backend says it sent itself was not written on the phone, so a large difference of the clocks
  // does not count against it.
  const mayBeIt = message.source === 'api' ? isOfItsTime(message, POSSIBLE_SLACK_S) : isSure;
  const candidates = await rows(tx, Candidate)`
    select id as "messageId", conversation_id as "conversationId", chosen_network_id as "chosenNetworkId", kind, body,
      content, status
    from message
    where (conversation_id = ${conversationId} and status = 'sending') or (session_id = ${sessionId}
      and may_be_shown(status, error_code, network_id)
      and ended_at > ${tx.now}::timestamptz - ${UNCERTAIN_OPEN_MS} * interval '1 millisecond'
      and (chosen_network_id = ${message.networkId} or (conversation_id = ${conversationId} and ${mayBeIt})))
    order by (chosen_network_id = ${message.networkId}) desc nulls last, ${isSure} desc nulls last, claimed_at`;
  const alike = candidates.filter(
    (candidate) =>
      candidate.chosenNetworkId === message.networkId ||
      (message.source !== 'app' && !goesUnderItsId(candidate) && canBeEchoOf(message, candidate)),
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

/**
 * An SQL condition: the message falls between a send's claim and its end when the clocks differ by no more than
 * `slackS`.
 */
function isOfItsTime({ timestamp }: NetworkMessage, slackS: number): RawBuilder<boolean> {
  return sql`(claimed_at <= to_timestamp(${timestamp + slackS}) and ended_at >= to_timestamp(${timestamp - slackS}))`;
}
