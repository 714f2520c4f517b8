import { z } from 'zod';
import { chatKind } from '../../domain/network/chat-id.ts';
import type { NetworkMessage } from '../../domain/network/network-event.ts';
import { otherAddresses } from '../../domain/network/phone-forms.ts';
import { canBeEchoOf, goesUnderItsId, isToldByWords } from '../../domain/sending/echo.ts';
import { SentColumns } from '../sending/open-send.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { rows } from '../engine/rows.ts';
import { receiveMessages, tellArrived } from './inbound.ts';
import type { Arrival, Inbound } from './inbound.ts';
import { parkOwnMessage } from './park-own-message.ts';
import { PASSES_ON } from './passthrough-send.ts';

/** A report waits for the answer of a send for at most this long; then it counts as the contact's. */
const HOLD_MS = 60_000;

/** A send whose answer may bring an id that nobody knows yet. `addresses` are those of its chat. */
const NamelessSend = SentColumns.extend({
  sessionId: z.string(),
  conversationId: z.string(),
  chosenNetworkId: z.string().nullable(),
  addresses: z.array(z.string()),
});
type NamelessSend = z.infer<typeof NamelessSend>;

async function listNamelessSends(queries: Queries, sessionIds: readonly string[]): Promise<NamelessSend[]> {
  const sends = await rows(queries, NamelessSend)`
    select o.session_id as "sessionId", c.id as "conversationId", o.chosen as "chosenNetworkId", o.kind, o.body,
      o.content, array(select c.chat_id union select a.chat_id from contact_alias a
        where a.contact_id = c.contact_id) as addresses
    from (
      select m.session_id, m.conversation_id, m.chosen_network_id as chosen, m.kind, m.body, m.content
      from message m where m.session_id = any(${sessionIds}::text[]) and m.status = 'sending'
      union all
      select p.session_id, p.conversation_id, null, p.kind, p.body, null
      from passthrough_send p where p.session_id = any(${sessionIds}::text[]) and ${PASSES_ON}
    ) o join conversation c on c.id = o.conversation_id`;
  return sends.filter((send) => !goesUnderItsId(send));
}

/** Finds the send under way whose echo the report may be, although it says that a contact wrote it. */
function sendOf({ session, message }: Inbound, sends: readonly NamelessSend[]): NamelessSend | undefined {
  const { chatId, aliases } = message;
  const own = chatKind(chatId) === 'group' ? [chatId] : [chatId, ...aliases];
  const told = [...own, ...otherAddresses(own)];
  return sends.find(
    (send) =>
      send.sessionId === session.id &&
      canBeEchoOf(message, send) &&
      (told.some((address) => send.addresses.includes(address)) || mayBeUnderHiddenId(message, send)),
  );
}

/** The contact of the send may have a hidden id that nobody knows yet. Without words, any message would fit. */
function mayBeUnderHiddenId(message: NetworkMessage, send: NamelessSend): boolean {
  const isUnnamed = chatKind(message.chatId) === 'lid' && message.aliases.length === 0;
  return isUnnamed && isToldByWords(message, send) && send.addresses.every((address) => chatKind(address) === 'phone');
}

/**
 * Writes messages of contacts as {@link receiveMessages} does. A report that may be the echo of a send is parked: one
 * of the same words is under way in the chat, under an id that only its answer brings. Written at once, the agent would
 * answer an echo. The answer takes the parked report. Without that {@link receiveHeld} writes it.
 */
export async function receiveReports(tx: Tx, inbound: readonly Inbound[]): Promise<Arrival[]> {
  const received = await receiveMessages(tx, inbound);
  const doubtful = inbound.filter((_, place) => received[place]?.mayBeEcho === true);
  if (doubtful.length === 0) return received;
  const held = await hold(tx, doubtful);
  const others = doubtful.filter((report) => !held.has(report));
  const written = await receiveMessages(tx, others, { areNoEchoes: true });
  const byReport = new Map(others.map((report, place) => [report, written[place]]));
  return received.map((arrival, place) => byReport.get(inbound[place] ?? arrival) ?? arrival);
}

async function hold(tx: Tx, reports: readonly Inbound[]): Promise<ReadonlySet<Inbound>> {
  const held = new Set<Inbound>();
  const sends = await listNamelessSends(tx, [...new Set(reports.map(({ session }) => session.id))]);
  for (const report of reports) {
    const send = sendOf(report, sends);
    if (!send) continue;
    const { session, message, isRecovered } = report;
    const parked = { ...message, ...(isRecovered ? { isRecovered } : {}) };
    await parkOwnMessage(tx, session.id, send.conversationId, parked, { event: { receivedAt: null } });
    held.add(report);
  }
  return held;
}

/** True while the answer of a send may still say that the report is its echo. */
export async function isHeld(queries: Queries, report: Inbound, parkedForMs: number): Promise<boolean> {
  if (parkedForMs > HOLD_MS) return false;
  return sendOf(report, await listNamelessSends(queries, [report.session.id])) !== undefined;
}

/** Writes a report that was held as the contact's message; one that has turned out to be an echo changes nothing. */
export async function receiveHeld(tx: Tx, report: Inbound): Promise<void> {
  const arrivals = await receiveMessages(tx, [report], { areNoEchoes: true });
  for (const arrival of arrivals) if (!arrival.isEcho) await tellArrived(tx, arrival);
}
