import { sql } from 'kysely';
import type { Database } from '../../../db/engine/database.ts';
import { MESSAGE_STATUSES } from '../../../domain/sending/message.ts';
import { rowsOf } from '../../support/rows.ts';

/** All that the database says of one of our sends. */
export interface Told {
  id: string;
  conversationId: string;
  body: string;
  status: string;
  ack: number | null;
  networkId: string | null;
  lane: number;
  seq: number | null;
  isReleased: boolean;
  isReady: boolean;
  isPromised: boolean;
  hasEnded: boolean;
  wasSent: boolean;
  hasToken: boolean;
  error: string | null;
  history: { status: string; reason: string | null }[];
  events: { status: string; ack: number; reason?: string }[];
}

/** Our sends of some conversations, in the order in which they were accepted. */
export async function listTold(database: Database, conversationIds: readonly string[]): Promise<Told[]> {
  return rowsOf(
    database,
    sql<Told>`
      select m.id, m.conversation_id as "conversationId", m.body, m.status, m.ack, m.network_id as "networkId", m.lane,
        m.chat_seq::int as seq, m.released_at is not null as "isReleased", m.ready_at is not null as "isReady",
        exists (select 1 from dispatch d where d.workflow_id = 'message/' || m.id and d.action <> 'signal') as "isPromised",
        m.ended_at is not null as "hasEnded", m.sent_at is not null as "wasSent", m.claim_token is not null as "hasToken",
        m.error_code as error,
        (select coalesce(jsonb_agg(jsonb_build_object('status', h.status, 'reason', h.reason) order by h.id), '[]')
          from message_history h where h.message_id = m.id) as history,
        coalesce(e.told, '[]') as events
      from message m left join (
        select body::jsonb->'payload'->>'messageId' as id, jsonb_agg(body::jsonb->'payload' order by sequence) as told
        from event where type = 'message.ack' and conversation_id = any(${conversationIds}::text[]) group by 1) e on e.id = m.id
      where m.conversation_id = any(${conversationIds}::text[]) and m.direction = 'out' and m.origin in ('api', 'person', 'ai')
      order by m.id`,
  );
}

const QUEUED = ['queued', 'scheduled'];
const NOT_SENT = ['failed', 'cancelled', 'uncertain'];
const SENT = ['sent', 'delivered', 'read', 'played'];

/** Which state may follow which. A later ack names those that it implies, so none is left out. */
const FOLLOWERS: Record<string, readonly string[]> = {
  scheduled: ['scheduled', 'queued', 'failed', 'cancelled'],
  queued: ['queued', 'scheduled', 'sending', 'failed', 'cancelled'],
  sending: ['queued', 'sent', 'failed', 'uncertain'],
  sent: ['sent', 'delivered', 'failed'],
  delivered: ['read'],
  read: ['played'],
  played: [],
  // The network refused it and a device has it after all; an operator or the network says what became of it.
  failed: ['sent', 'delivered'],
  uncertain: ['sent', 'failed'],
  cancelled: [],
};

/** Returns the faults of one message; none if its state, its history and its events agree. */
export function faultsOf(message: Told): string[] {
  const { status, history, events } = message;
  const faults: string[] = [];
  const must = (holds: boolean, what: string): void => void (holds || faults.push(what));

  must(
    MESSAGE_STATUSES.some((known) => known === status),
    `unknown state ${status}`,
  );
  must(QUEUED.includes(history[0]?.status ?? ''), 'its history does not begin with its acceptance');
  must(history.at(-1)?.status === status, 'its history ends with another state');
  for (const [index, { status: before }] of history.slice(0, -1).entries()) {
    const { status: after, reason } = history[index + 1] ?? { status: '', reason: null };
    // A claimed message may be noted as lost; a second claim has no reason.
    const isNoted = before === 'sending' && after === 'sending' && reason !== null;
    must(isNoted || FOLLOWERS[before]?.includes(after) === true, `${before} → ${after}`);
  }
  for (const { status: ended, reason } of history) {
    must(!NOT_SENT.includes(ended) || reason !== null, `${ended} without a reason in its history`);
  }
  must(!NOT_SENT.includes(status) || message.error !== null, `${status} without a reason`);
  must(
    message.hasEnded === !(QUEUED.includes(status) || status === 'sending'),
    `${status} and ended: ${message.hasEnded}`,
  );
  must(!SENT.includes(status) || message.wasSent, `${status} without the time when it was sent`);
  must(status !== 'sending' || message.hasToken, 'sending without a claim');
  must((status === 'scheduled') <= (message.seq === null), 'scheduled with a place in the queue');
  must(status !== 'queued' || message.seq !== null, 'queued without a place');
  must(!(status === 'queued' && message.isReleased) || message.isPromised, 'released and promised to nobody');
  const told = history.filter(
    (step, index) =>
      (SENT.includes(step.status) || NOT_SENT.includes(step.status)) &&
      step.reason !== 'implied_by_a_later_ack' &&
      step.status !== history[index - 1]?.status,
  );
  // An error of the network after that is told beside the state, and moves nothing.
  const moves = events.filter(
    ({ status: now, reason }, index) => reason === undefined || now !== events[index - 1]?.status,
  );
  must(
    JSON.stringify(told.map((step) => step.status)) === JSON.stringify(moves.map((event) => event.status)),
    `dashboards were told ${events.map((event) => event.status).join(' ')}`,
  );
  const levels = events.flatMap((event) => (event.ack >= 0 ? [event.ack] : []));
  must(
    levels.every((level, index) => index === 0 || level >= (levels[index - 1] ?? 0)),
    `dashboards were told acks ${levels.join(' ')}`,
  );
  return faults.map((fault) => `${message.body} (${history.map((step) => step.status).join(' ')}): ${fault}`);
}

/** Returns the faults of a conversation's queue; rows hold the queue of a session that may not send. */
export function queueFaultsOf(
  messages: readonly Told[],
  { isPaced, maySend = true }: { isPaced: boolean; maySend?: boolean },
): string[] {
  const open = messages.filter(({ status }) => status === 'queued' || status === 'sending');
  const onItsWay = open.filter(({ status, isReleased }) => status === 'sending' || isReleased);
  const faults: string[] = [];
  if (onItsWay.length > 1) faults.push(`${onItsWay.map(({ body }) => body).join(' and ')} are on their way`);
  if (maySend && onItsWay.length === 0 && open.length > 0) {
    const heads = [0, 1].flatMap((lane) => {
      const [head] = open.filter((message) => message.lane === lane).toSorted((a, b) => (a.seq ?? 0) - (b.seq ?? 0));
      return head ? [head] : [];
    });
    const stuck = isPaced ? heads.filter(({ isReady }) => !isReady) : heads;
    if (stuck.length > 0) faults.push(`nobody lets ${stuck.map(({ body }) => body).join(' and ')} go`);
  }
  const places = messages.flatMap(({ seq }) => (seq === null ? [] : [seq]));
  if (new Set(places).size < places.length) faults.push('two have one place');
  return faults;
}

/** Numbers of a session's events that are missing, or given twice. */
export async function listSequenceFaults(database: Database): Promise<string[]> {
  const rows = await rowsOf(
    database,
    sql<{ last: number; given: number; different: number; highest: number }>`
      select s.last::int as last, count(e.sequence)::int as given, count(distinct e.sequence)::int as different,
        coalesce(max(e.sequence), 0)::int as highest
      from session_sequence s left join event e on e.session_id = s.session_id and e.type in ('message', 'message.ack')
      group by s.session_id, s.last`,
  );
  return rows
    .filter(({ last, given, different, highest }) => last !== given || last !== different || last !== highest)
    .map((numbers) => `numbers of events: ${JSON.stringify(numbers)}`);
}
