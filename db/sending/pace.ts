import { z } from 'zod';
import { firstContactsCap } from '../../domain/sessions/new-chats.ts';
import type { NewChats } from '../../domain/sessions/new-chats.ts';
import { Pace } from '../../domain/tenants/pace.ts';
import { lockConversation } from '../conversations/conversation.ts';
import { IdRow, Timestamp } from '../engine/columns.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { one, row, rows, run } from '../engine/rows.ts';

/** A session that was away for less than this has only reconnected, which is no outage. */
const AWAY_AFTER_S = 60;

/**
 * Writes the pace of tenants that have set none. Every process writes it at its start, so all processes use the same
 * defaults.
 */
export async function writePaceDefaults(tx: Tx, pace: Pace): Promise<void> {
  await run(tx)`
    update pace_default set per_minute = ${pace.perMinute}, burst = ${pace.burst},
      first_contacts_per_day = ${pace.firstContactsPerDay}
    where (per_minute, burst, first_contacts_per_day)
      is distinct from (${pace.perMinute}::int, ${pace.burst}::int, ${pace.firstContactsPerDay}::int)`;
}

export async function findPaceDefaults(queries: Queries): Promise<Pace> {
  return one(queries, Pace)`
    select per_minute as "perMinute", burst, first_contacts_per_day as "firstContactsPerDay" from pace_default`;
}

const Released = z.object({
  released: z.int(),
  nextAt: Timestamp.nullable(),
  isBusy: z.boolean().optional(),
  /** When the next message may start beside other agencies; a look before that finds nothing that may go. */
  startsAt: Timestamp.optional(),
});
export type Released = z.infer<typeof Released>;
const Answer = z.object({ result: Released });

/** Lets the ready heads of a session go as far as its pace allows (`release.sql`), in one statement. */
export async function releaseHeads(tx: Tx, sessionId: string): Promise<Released> {
  const { result } = await one(tx, Answer)`
    select release_session(${sessionId}, ${tx.now}) as result`;
  if (result.released > 0) tx.wake('dispatch');
  return result;
}

/** Makes the session due when it has ready heads, and wakes the releaser. */
export async function makeDueIfReady(tx: Tx, sessionId: string): Promise<void> {
  const due = await row(tx, IdRow)`
    select make_due(${sessionId}, ${tx.now}) as id where exists (
      select 1 from message
      where session_id = ${sessionId} and status = 'queued' and released_at is null and ready_at is not null)`;
  if (due) tx.wake('release', sessionId);
}

const Refund = z.object({ refunded: z.boolean() });

/**
 * Gives back the slot of a message that was certainly not sent and is back in its queue, when its session has a pace or
 * the message was refused three times. The releaser lets the message go again after a pause. Needs the conversation's
 * lock.
 */
export async function refundSlot(tx: Tx, messageId: string, sessionId: string): Promise<void> {
  const { refunded } = await one(tx, Refund)`select refund_slot(${messageId}, ${tx.now}) as refunded`;
  if (refunded) tx.wake('release', sessionId);
}

/** A message that cannot go by our own fault lets other messages go first for this long. */
const OWN_TROUBLE_PAUSE_S = 30;

const GivenBack = z.object({ given: z.boolean() });

/**
 * Returns a released message to its queue for a while because the engine lacks what the message needs, so that a few
 * such messages do not hold up their session. False when the message is not released any more.
 */
export async function givePlaceBack(
  tx: Tx,
  { messageId, conversationId, sessionId }: { messageId: string; conversationId: string; sessionId: string },
): Promise<boolean> {
  await lockConversation(tx, conversationId);
  const { given } = await one(tx, GivenBack)`
    select give_place_back(${messageId}, ${tx.now}, ${OWN_TROUBLE_PAUSE_S} * interval '1 second') as given`;
  if (!given) return false;
  tx.wake('release', sessionId);
  // The history says this once, for readers who ask what the message waits for.
  await run(tx)`
    insert into message_history (message_id, at, status, reason)
    select ${messageId}, ${tx.now}, 'queued', 'engine_trouble' where not exists (
      select 1 from message_history where message_id = ${messageId} and reason = 'engine_trouble')`;
  return true;
}

const SlotOwner = z.object({ sessionId: z.string() });

/** Gives back the slots of messages that were released and ended before any call. Needs the conversation's lock. */
export async function returnSlots(tx: Tx, messageIds: readonly string[]): Promise<void> {
  const owners = await rows(tx, SlotOwner)`
    select m.session_id as "sessionId", return_slot(m.session_id, m.released_at, m.first_contact, ${tx.now})
    from message m where m.id = any(${messageIds}::text[]) and m.ready_at is not null`;
  for (const { sessionId } of owners) tx.wake('release', sessionId);
}

/**
 * Records whether the session is connected. The limit of first contacts rises from the first connection on, and the
 * rate rises slowly after an outage. A session that has come back is due.
 */
export async function recordPresence(tx: Tx, sessionId: string, isWorking: boolean): Promise<void> {
  await run(tx)`
    insert into session_pace as pace (session_id, first_connected_at, release_at)
    select ${sessionId}, at, at from (select case when ${isWorking} then ${tx.now}::timestamptz end as at) connected
    on conflict (session_id) do update set
      first_connected_at = coalesce(pace.first_connected_at, excluded.first_connected_at),
      away_since = case when ${isWorking} or pace.first_connected_at is null then null
        else coalesce(pace.away_since, ${tx.now}) end,
      ramp_since = case when ${isWorking}
        and pace.away_since < ${tx.now}::timestamptz - ${AWAY_AFTER_S} * interval '1 second'
        then ${tx.now} else pace.ramp_since end,
      release_at = case when ${isWorking} and (pace.first_connected_at is null or pace.away_since is not null)
        then least(pace.release_at, ${tx.now}) else pace.release_at end`;
}

/** Lets the rate of an agency's sessions rise slowly from now on, as after an outage. */
export async function startRamp(tx: Tx, agencyId: string): Promise<void> {
  await run(tx)`
    update session_pace p set ramp_since = ${tx.now} from session s
    where s.id = p.session_id and s.agency_id = ${agencyId}`;
}

const Restricted = z.object({ isNew: z.boolean(), agencyId: z.string(), tenantId: z.string(), name: z.string() });

/**
 * Records that the network refuses this account's first contacts for a while. First contacts wait until then, and the
 * dashboard is told once. A later report may extend the time, never shorten it.
 */
export async function restrictSession(
  tx: Tx,
  sessionId: string,
  restriction: { until: Date; code: string },
): Promise<void> {
  await run(tx)`insert into session_pace (session_id) values (${sessionId}) on conflict do nothing`;
  const session = await row(tx, Restricted)`
    with was as (
      select session_id, coalesce(restricted_until <= ${tx.now}, true) as is_new from session_pace
      where session_id = ${sessionId} for no key update
    )
    update session_pace p set restricted_until = greatest(p.restricted_until, ${restriction.until}),
      restriction = ${restriction.code}
    from was, session s where p.session_id = was.session_id and s.id = p.session_id
    returning was.is_new as "isNew", s.agency_id as "agencyId", s.tenant_id as "tenantId", s.name`;
  if (!session?.isNew) return;
  tx.emit({
    event: 'session.restricted',
    agencyId: session.agencyId,
    tenantId: session.tenantId,
    sessionId,
    conversationId: null,
    payload: {
      sessionId,
      name: session.name,
      code: restriction.code,
      until: restriction.until.toISOString(),
      timestamp: Math.floor(tx.now.getTime() / 1_000),
    },
  });
}

/** A warning whose cycle the network does not tell acts for this long after each look that sees it. */
const UNTOLD_CYCLE_MS = 24 * 60 * 60_000;

const Told = z.object({ before: z.string().nullable(), agencyId: z.string(), tenantId: z.string(), name: z.string() });

/**
 * Records the network's quota of new chats. A warned account opens fewer chats a day, and a capped one is restricted.
 * The dashboard is told of each new step.
 */
export async function recordNewChats(tx: Tx, sessionId: string, newChats: NewChats): Promise<void> {
  const told = JSON.stringify(newChats);
  const { step, until } = newChats;
  const ends = until === null ? new Date(tx.now.getTime() + UNTOLD_CYCLE_MS) : new Date(until);
  const cap = firstContactsCap(newChats, tx.now);
  const capUntil = cap === null ? null : ends;
  await run(tx)`insert into session_pace (session_id) values (${sessionId}) on conflict do nothing`;
  const session = await row(tx, Told)`
    with was as (
      select session_id, new_chats->>'step' as step from session_pace
      where session_id = ${sessionId} and ((new_chats, first_contacts_cap)
        is distinct from (${told}::jsonb, ${cap}::integer) or first_contacts_cap_until < ${capUntil})
      for no key update
    )
    update session_pace p set new_chats = ${told}::jsonb, first_contacts_cap = ${cap},
      first_contacts_cap_until = ${capUntil}, release_at = least(p.release_at, ${tx.now}),
      -- An account that is no longer capped is free at once, although nobody has said until when it was.
      restricted_until = case when ${step} <> 'capped' and p.restriction = 'message_capped'
        then least(p.restricted_until, ${tx.now}) else p.restricted_until end
    from was, session s where p.session_id = was.session_id and s.id = p.session_id
    returning was.step as before, s.agency_id as "agencyId", s.tenant_id as "tenantId", s.name`;
  // A cycle without an end is extended by each look that still sees the cap.
  if (step === 'capped' && ends > tx.now) {
    await restrictSession(tx, sessionId, { until: ends, code: 'message_capped' });
  }
  if (!session) return;
  if (step === (session.before ?? 'none')) return;
  tx.emit({
    event: 'session.quota',
    agencyId: session.agencyId,
    tenantId: session.tenantId,
    sessionId,
    conversationId: null,
    payload: {
      sessionId,
      name: session.name,
      ...newChats,
      firstContactsPerDay: cap,
      timestamp: Math.floor(tx.now.getTime() / 1_000),
    },
  });
}

/** Refusals of this many recipients within an hour are taken for the account's, although it shows no restriction. */
const REFUSED_RECIPIENTS = 3;
const REFUSALS_WITHIN_MS = 60 * 60_000;

const Refused = z.object({ recipients: z.int() });

/** Holds the session's first contacts for an hour when the network has just refused several of them one by one. */
export async function restrictAfterRefusals(tx: Tx, sessionId: string, conversationId: string): Promise<void> {
  const { recipients } = await one(tx, Refused)`
    select count(distinct conversation_id)::int as recipients from message
    where session_id = ${sessionId} and status = 'failed' and error_code = 'recipient_refused'
      and conversation_id <> ${conversationId}
      and coalesce(ended_at, updated_at) > ${tx.now}::timestamptz - ${REFUSALS_WITHIN_MS} * interval '1 millisecond'`;
  if (recipients + 1 < REFUSED_RECIPIENTS) return;
  const until = new Date(tx.now.getTime() + REFUSALS_WITHIN_MS);
  await restrictSession(tx, sessionId, { until, code: 'recipients_refused' });
}
