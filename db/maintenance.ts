import { forgetUsage } from './agent/usage.ts';
import { forgetHandovers } from './agent/handover.ts';
import { forgetColleagues } from './conversations/team/colleagues.ts';
import { forgetViewers } from './conversations/team/viewers.ts';
import { deleteExpiredMemories } from './agent/forget-memory.ts';
import { tidyRehearsals } from './agent/rehearsal.ts';
import { forgetTurns } from './agent/forget-turns.ts';
import type { TurnCursor } from './agent/forget-turns.ts';
import type { Database } from './engine/database.ts';
import { forgetAuditEntries } from './audit.ts';
import { addUpChats } from './conversations/inbox/chat-count.ts';
import { indexOldChats, indexOldTexts } from './conversations/search/search-messages.ts';
import { forgetStoredAnswers } from './idempotency.ts';
import { endOverdueFetches } from './media/news.ts';
import { expireFiles } from './media/remove.ts';
import { addUpStorage, expireHolds } from './media/storage.ts';
import { addUpMediaUsage } from './media/usage.ts';
import { forgetParkedEvents, parkOverdueEvents } from './network/parked-event.ts';
import { forgetLostPassthroughSends } from './network/passthrough-send.ts';
import { forgetExports } from './personal-data/export/parts.ts';
import { sweepRecords } from './personal-data/record-retention.ts';
import { sweepRetention } from './personal-data/retention.ts';
import { run } from './engine/rows.ts';
import { forgetFlows } from './flows/flow.ts';
import { forgetLevels } from './tenants/limits.ts';
import { forgetGaps } from './sessions/gaps.ts';
import type { Tx } from './engine/tx.ts';
import { forgetEndpoints } from './webhooks/forget-endpoints.ts';
import { forgetLostStreams } from './webhooks/open-streams.ts';

/** A parked ack or revocation waits this long for its message. */
const PARKED_DAYS = 2;
/** Ended deliveries, parked dispatches, ended turns, handovers and closed gaps are kept for this long. */
const KEEP_DAYS = 90;
/** Audits ask long afterwards for the holder of a key, and for the changes by that key. */
const AUDIT_DAYS = 400;
/** One transaction deletes at most this many rows of a kind, so that it is short and holds up no pull of events. */
const BATCH = 1_000;
/** Each of these locks the sequence of its session until the end of the transaction, so there are few. */
const FETCHES = 50;

/**
 * Makes the partitions of the coming days, without which nothing could be written, and drops those whose time is over.
 */
export async function maintainPartitions(tx: Tx): Promise<void> {
  await run(tx)`select maintain_partitions(current_date)`;
}

/**
 * Ends deliveries whose event was dropped with its partition, because there is nothing left to post. Returns how many
 * it has ended, `limit` at most; call it until it returns 0.
 */
export async function failLostDeliveries(tx: Tx, limit: number): Promise<number> {
  return run(tx)`
    with lost as (
      select d.id from delivery d
      where d.status = 'pending'
        and d.event_created_at < ${tx.now}::timestamptz
          - (select keep_days from partition_policy where table_name = 'event') * interval '1 day'
        and not exists (select 1 from event e where e.created_at = d.event_created_at and e.id = d.event_id)
      order by d.event_created_at limit ${limit} for update of d skip locked
    )
    update delivery d set status = 'failed', last_class = 'expired', done_at = ${tx.now}, lease_token = null,
      leased_until = null
    from lost where d.id = lost.id and d.status = 'pending'
    returning 1`;
}

/** Deletes one batch of rows that are no longer needed. Returns how many; a whole batch means that more may be left. */
type Forget = (tx: Tx) => Promise<number>;

/** The kinds of rows that need nothing but the time to be known as old. */
const KINDS = {
  parkedAcks: (tx) => run(tx)`
    delete from parked_ack where ctid = any(array(select ctid from parked_ack
      where at < clock_timestamp() - ${PARKED_DAYS} * interval '1 day' order by at limit ${BATCH}))`,
  parkedRevokes: (tx) => run(tx)`
    delete from parked_revoke where ctid = any(array(select ctid from parked_revoke
      where at < ${daysAgo(tx, PARKED_DAYS)} order by at limit ${BATCH}))`,
  parkedChanges: (tx) => run(tx)`
    delete from parked_change where ctid = any(array(select ctid from parked_change
      where at < clock_timestamp() - ${PARKED_DAYS} * interval '1 day' order by at limit ${BATCH}))`,
  finishedDeliveries: (tx) => run(tx)`
    delete from delivery where id = any(array(select id from delivery
      where status <> 'pending' and done_at < ${daysAgo(tx, KEEP_DAYS)} order by done_at limit ${BATCH}))`,
  parkedDispatches: (tx) => run(tx)`
    delete from dispatch where id = any(array(select id from dispatch
      where parked_at < ${daysAgo(tx, KEEP_DAYS)} order by parked_at limit ${BATCH}))`,
  auditEntries: (tx) => forgetAuditEntries(tx, daysAgo(tx, AUDIT_DAYS), BATCH),
  handovers: (tx) => forgetHandovers(tx, daysAgo(tx, KEEP_DAYS), BATCH),
  repeatedPromises: (tx) => run(tx)`
    delete from repeated_promise where workflow_id = any(array(select workflow_id from repeated_promise
      where counted_at < ${daysAgo(tx, 1)} order by counted_at limit ${BATCH}))`,
  deletedEndpoints: (tx) => forgetEndpoints(tx, BATCH),
  deletedFlows: (tx) => forgetFlows(tx, daysAgo(tx, 1), BATCH),
  storedAnswers: (tx) => forgetStoredAnswers(tx, BATCH),
  rehearsals: (tx) => tidyRehearsals(tx, BATCH),
  expiredMemories: (tx) => deleteExpiredMemories(tx, BATCH),
  requestRates: (tx) => forgetLevels(tx, daysAgo(tx, 1), BATCH),
  usage: (tx) => forgetUsage(tx, BATCH),
  chatCounts: (tx) => addUpChats(tx, BATCH),
  expiredFiles: (tx) => expireFiles(tx, BATCH),
  mediaUsage: (tx) => addUpMediaUsage(tx, BATCH),
  fileHolds: (tx) => expireHolds(tx, BATCH),
  storage: (tx) => addUpStorage(tx, BATCH),
  oldTexts: (tx) => indexOldTexts(tx, BATCH),
  oldChats: (tx) => indexOldChats(tx, BATCH),
  overdueFetches: (tx) => endOverdueFetches(tx, FETCHES),
  overdueBackendEvents: (tx) => parkOverdueEvents(tx, BATCH),
  lostPassthroughSends: (tx) => forgetLostPassthroughSends(tx, BATCH),
  gaps: (tx) => forgetGaps(tx, daysAgo(tx, KEEP_DAYS), BATCH),
  exports: (tx) => forgetExports(tx, BATCH),
  retention: (tx) => sweepRetention(tx, BATCH),
  rawEvents: (tx) => sweepRecords(tx, 'raw_events', BATCH),
  oldEvents: (tx) => sweepRecords(tx, 'events', BATCH),
  oldRequests: (tx) => sweepRecords(tx, 'requests', BATCH),
  oldAttempts: (tx) => sweepRecords(tx, 'attempts', BATCH),
  lostViewers: (tx) => forgetViewers(tx, BATCH),
  formerColleagues: (tx) => forgetColleagues(tx, BATCH),
  lostStreams: (tx) => forgetLostStreams(tx, BATCH),
  parkedBackendEvents: (tx) => forgetParkedEvents(tx, daysAgo(tx, KEEP_DAYS), BATCH),
} satisfies Record<string, Forget>;

export const CLEAN_UP_KINDS: readonly string[] = [...Object.keys(KINDS), 'endedTurns'];

/** Makes the clean-up of this process, which knows up to where it has looked through rows that are kept. */
export function createCleanUp(database: Database) {
  let lookedUpTo: TurnCursor | null = null;

  async function endedTurns(tx: Tx): Promise<number> {
    const page = { endedBefore: daysAgo(tx, KEEP_DAYS), after: lookedUpTo, limit: BATCH };
    const { deleted, next } = await forgetTurns(tx, page);
    lookedUpTo = next;
    // A page of which every turn is kept ends the look of this clean-up, because there may be millions more of them.
    return next === null || deleted === 0 ? 0 : BATCH;
  }

  /**
   * Deletes rows that are no longer needed. The kinds take turns, a batch in a transaction of its own each time, until
   * none has more: a kind with millions of rows keeps no other waiting. A kind that fails is left to the next clean-up.
   */
  return async function cleanUp({ isOver, onFailed }: CleanUpOptions = {}): Promise<void> {
    let left: [string, Forget][] = Object.entries({ ...KINDS, endedTurns });
    while (left.length > 0) {
      const withMore: typeof left = [];
      for (const [kind, forget] of left) {
        if (isOver?.()) return;
        try {
          if ((await database.transaction(forget)) >= BATCH) withMore.push([kind, forget]);
        } catch (error) {
          if (onFailed === undefined) throw error;
          onFailed(kind, error);
        }
      }
      left = withMore;
    }
  };
}

interface CleanUpOptions {
  isOver?: () => boolean;
  /** Called for each kind that failed. Without it the first failure ends the clean-up. */
  onFailed?: (kind: string, error: unknown) => void;
}

function daysAgo(tx: Tx, days: number): Date {
  return new Date(tx.now.getTime() - days * 86_400_000);
}
