import { z } from 'zod';
import type { Begun } from '../../domain/automations/execution.ts';
import { STALE_AFTER_MS } from '../../domain/agent/turn.ts';
import type { Audience } from '../../domain/flows/index.ts';
import { matches, optOutOf, sessionOf } from '../../domain/automations/trigger.ts';
import type { Happening } from '../../domain/automations/trigger.ts';
import { newId } from '../engine/new-id.ts';
import { row, rows } from '../engine/rows.ts';
import { isOverruled, setOptOut } from './opt-out.ts';
import type { NewEvent, Tx } from '../engine/tx.ts';
import type { Enabled } from './enabled.ts';
import { readOpeningOf } from './working-hours.ts';

export interface Start {
  id: string;
  automationId: string;
  conversationId: string | null;
  sessionId: string | null;
  begun: Begun;
  key: string;
  isFirst: boolean;
  /** The message begins nothing when it is the reply for which a run of the automation waits. */
  isNoReply?: boolean;
  /** The run that this one repeats. */
  retryOf?: string;
  /** The audience for whose contact a schedule begins it. The run is then not written if the agency has no room. */
  audience?: Audience;
}

/** A start whose trigger asks for more than the event tells. */
interface Matched {
  start: Start;
  event: NewEvent;
  trigger: Enabled['trigger'];
}

/** Answers what an event starts of the automations that are switched on, and records the opt-outs that it asks for. */
export async function startsOf(
  tx: Tx,
  byTenant: ReadonlyMap<string, readonly Enabled[]>,
  event: NewEvent,
): Promise<Start[]> {
  const own = byTenant.get(event.tenantId ?? '');
  if (!own) return [];
  const happening = happeningOf(event);
  const matched = own
    .filter(({ trigger }) => matches(trigger, happening))
    .map((automation) => matchOf(automation, event));
  const hasPassed = await isPast(tx, event);
  const starts: Start[] = [];
  for (const each of matched) {
    // An opt-out is recorded however late it is heard; nothing is said about it then.
    if (hasPassed && each.start.begun.optOut === undefined) continue;
    if ((await holds(tx, each)) && !hasPassed) starts.push(each.start);
  }
  return starts;
}

const PastRow = z.object({ isPast: z.boolean() });

/**
 * True for a message that was missed and fetched so late that its moment has passed, and for one whose words come so
 * late: the agent does not answer it any more either, by the same bounds.
 */
async function isPast(tx: Tx, { event, payload, agencyId, tenantId, isKnown }: NewEvent): Promise<boolean> {
  if (event !== 'message' || (payload.recovered !== true && isKnown !== true)) return false;
  const found = await row(tx, PastRow)`
    select to_timestamp(${payload.timestamp}::float8) < ${tx.now}::timestamptz - case when ${payload.recovered === true}
        then interval '1 minute' * coalesce(stored_int(persona->'answerRecoveredWithinMinutes', 0, 1440), 15)
        else interval '1 millisecond' * ${STALE_AFTER_MS} end as "isPast"
    from tenant where agency_id = ${agencyId} and id = ${tenantId}`;
  return found?.isPast ?? false;
}

function happeningOf(event: NewEvent): Happening {
  switch (event.event) {
    case 'message':
      return { event: event.event, body: event.payload.body, kind: event.payload.kind };
    case 'message.ack':
    case 'session.status':
      return { event: event.event, status: event.payload.status };
    default:
      return { event: event.event, labelsAdded: event.labelsAdded ?? [] };
  }
}

function matchOf({ id, trigger }: Enabled, event: NewEvent): Matched {
  // The execution names the event that began it, so an event that is written must have its id now.
  const eventId = (event.id ??= newId('evt'));
  const messageId = event.event === 'message' || event.event === 'message.ack' ? event.payload.messageId : undefined;
  const optOut = (event.event === 'message' && optOutOf(trigger, event.payload.body)) || undefined;
  const start = {
    id: newId('exe'),
    automationId: id,
    conversationId: event.conversationId,
    sessionId: event.sessionId,
    begun: {
      event: event.event,
      ...(event.isKnown === true ? {} : { eventId }),
      ...(messageId === undefined ? {} : { messageId }),
      ...(optOut === undefined ? {} : { optOut }),
    },
    key: messageId ?? eventId,
    isFirst: trigger.event === 'message' && (trigger.isFirst ?? false),
    isNoReply: trigger.event === 'message' && trigger.isReply === false,
  };
  return { start, event, trigger };
}

/** Tells whether what the database knows lets it start. */
async function holds(tx: Tx, { start, event, trigger }: Matched): Promise<boolean> {
  if (!(await isInSession(tx, start.sessionId, sessionOf(trigger)))) return false;
  if (trigger.event === 'message.ack') return !(await isOfAutomation(tx, start.key));
  if (trigger.event !== 'message' || event.event !== 'message') return true;
  const { optOut: said } = start.begun;
  if (said !== undefined) {
    const { contactId, messageId, timestamp: saidAtS } = event.payload;
    if (contactId === null) return false;
    const wordIn = (body: string) => optOutOf(trigger, body);
    if (await isOverruled(tx, { contactId, messageId, saidAtS, word: said }, wordIn)) return false;
    // Recorded with the message, so that nothing goes out in between. A word that changes nothing begins nothing.
    return setOptOut(tx, contactId, { isOptedOut: said === 'out', by: 'word' });
  }
  if (trigger.hours !== undefined) {
    const { agencyId, tenantId } = event;
    const { isOpen } = await readOpeningOf(tx, { agencyId, tenantId: tenantId ?? '' });
    if (isOpen !== (trigger.hours === 'open')) return false;
  }
  return trigger.label === undefined || hasLabel(tx, start.conversationId, trigger.label);
}

const FoundRow = z.object({ found: z.boolean() });

async function isInSession(tx: Tx, sessionId: string | null, wanted: string | undefined): Promise<boolean> {
  if (wanted === undefined || wanted === sessionId) return true;
  const named = await row(tx, FoundRow)`select name = ${wanted} as found from session where id = ${sessionId}`;
  return named?.found ?? false;
}

/** An automation's own message starts nothing, or two automations would talk to each other for ever. */
async function isOfAutomation(tx: Tx, messageId: string): Promise<boolean> {
  const [row] = await rows(tx, FoundRow)`select via = 'automation' as found from message
    where id = ${messageId} and via is not null`;
  return row?.found ?? false;
}

async function hasLabel(tx: Tx, conversationId: string | null, label: string): Promise<boolean> {
  const [row] = await rows(tx, FoundRow)`
    select exists (select 1 from conversation c
      join chat_label x on x.session_id = c.session_id and x.is_set and (x.chat_id = c.chat_id
        or x.chat_id in (select a.chat_id from contact_alias a where a.contact_id = c.contact_id))
      join label l on l.session_id = x.session_id and l.id = x.label_id and not l.is_deleted
      where c.id = ${conversationId} and lower(l.name) = lower(${label})) as found`;
  return row?.found ?? false;
}
