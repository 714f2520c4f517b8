import { activityInfo } from '@temporalio/activity';
import { findBeforeSend, listBeforeSend } from '../../db/sending/before-send.ts';
import type { BeforeSend } from '../../db/sending/before-send.ts';
import { leaveSlice } from '../../db/sending/slice.ts';
import { noteTaken } from '../../db/sending/taken.ts';
import { findTraces } from '../../db/trace.ts';
import { isMedia } from '../../domain/sending/content.ts';
import { CALL_WAIT_MS } from '../../domain/sending/message-state.ts';
import { inTracedSpan, isTracing } from '../../domain/telemetry/tracing.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { beating } from '../heartbeat.ts';
import { tolerate } from './send.ts';
import type { createSend } from './send.ts';
import { NO_SLOT, stateOf } from './send-result.ts';
import type { SendResult } from './send-result.ts';

export interface Slice {
  /** The slice's key, the id of its first message. */
  slice: string;
  messageIds: string[];
}

/** The progress of the slice's messages. */
export interface SliceResult {
  sent: number;
  /** Messages of a broadcast that ended without being sent. */
  ended: number;
  /**
   * Messages that have an execution of their own, because they must wait, their outcome is unknown, or they were not
   * sent although somebody waits for them.
   */
  onTheirOwn: number;
  /**
   * The messages of a broadcast that were not tried, because the time was over or the session had too many sends in
   * flight.
   */
  left: string[];
}

/**
 * This many messages at least are under way at once. Beyond the sends that a session may have in flight, the first
 * steps of a message run while it waits for its slot.
 */
const LEAST_LANES = 4;
/** A local activity holds up its workflow task, so after this time it begins no further send. */
const LOCAL = { beginsForMs: 5_000, slotWaitMs: 3_000 };
/** The rows of messages that wait for longer are promised again by the reconcile, so nothing is gained by waiting. */
const REGULAR = { beginsForMs: 4 * 60_000, slotWaitMs: 30_000 };
/** The own execution of a message that was refused tries again after this time. */
const RETRY_AFTER_MS = 2_000;
/**
 * After this many attempts a message that fails leaves its slice, which would otherwise try it until it times out. The
 * own execution gives the message's place back.
 */
const ATTEMPTS_IN_SLICE = 3;
const NO_TRACES: ReadonlyMap<string, string> = new Map();
const FAILS: SendResult = { state: 'retry', reason: 'every attempt of its slice has failed' };

/** Creates the activity that sends the messages of a slice. */
export function createSlice(
  { database, limits, stopping }: Pick<ActivityDependencies, 'database' | 'limits' | 'stopping'>,
  { send }: ReturnType<typeof createSend>,
) {
  /**
   * Sends the messages, a few at a time, each with a claim and a record of its own. A message that cannot go at once
   * gets an execution of its own. Safe to repeat: the rows tell which messages have gone, and a message that an earlier
   * attempt has claimed gets an execution of its own, which finds out what became of it. So does a message that
   * somebody waits for and that was not sent: operators find failures by executions that have its id and its outcome.
   * Rows: message, message_history, session_pace, dispatch.
   */
  async function sendSlice({ slice, messageIds }: Slice): Promise<SliceResult> {
    const { isLocal, attempt: attempts } = activityInfo();
    const { beginsForMs, slotWaitMs } = isLocal ? LOCAL : REGULAR;
    const takenAt = performance.now();
    const takenForMs = () => performance.now() - takenAt;
    const until = takenAt + beginsForMs;
    const result: SliceResult = { sent: 0, ended: 0, onTheirOwn: 0, left: [] };
    const members = await database.read((queries) => listBeforeSend(queries, messageIds));
    const traces = isTracing() ? await database.read((queries) => findTraces(queries, messageIds)) : NO_TRACES;
    const slow = members.filter(isSlow);
    const quick = members.filter((member) => !isSlow(member));
    await beating(
      async () => {
        await leave(slow, 0);
        await inLanes(quick, deliver);
        if (result.left.length === 0) return;
        // Sends have gone by now, and must not be repeated for a note.
        await tolerate(database.statement((tx) => noteTaken(tx, result.left, takenForMs())));
      },
      () => result,
    );
    return result;

    async function deliver(listed: BeforeSend): Promise<void> {
      // The regular activity comes to a message up to minutes after it has listed them, and settings may have changed.
      const member = isLocal ? listed : ((await database.read((q) => findBeforeSend(q, listed.messageId))) ?? listed);
      if (isSlow(member)) return leave([member], 0);
      const sent = await attempt(member).catch((error: unknown) => {
        if (attempts < ATTEMPTS_IN_SLICE || stopping.aborted) throw error;
        return FAILS;
      });
      if (sent === NO_SLOT && isLocal && member.bulk) result.left.push(member.messageId);
      else if (sent.state === 'sent') result.sent += 1;
      else if (sent.state === 'ended' && sent.status !== 'uncertain' && member.bulk) result.ended += 1;
      else await leave([member], sent.state === 'retry' ? RETRY_AFTER_MS : 0);
    }

    async function attempt(member: BeforeSend): Promise<SendResult> {
      // The message may have been claimed by an attempt that was lost, or by an execution of its own.
      if (member.status !== 'queued') return stateOf(database, member.messageId);
      // The attempt after this one goes on with the rest in another process.
      if (!isLocal) stopping.throwIfAborted();
      if (stopping.aborted || performance.now() > until) return NO_SLOT;
      const parent = traces.get(member.messageId);
      const span = { name: 'send in a slice', kind: 'consumer', parent } as const;
      return inTracedSpan(span, () => send(member, { takenAt, slotWaitMs, callWaitMs: CALL_WAIT_MS, slice }));
    }

    async function leave(some: readonly BeforeSend[], delayMs: number): Promise<void> {
      if (some.length === 0) return;
      const ids = some.map(({ messageId }) => messageId);
      await database.transaction(async (tx) => {
        await noteTaken(tx, ids, takenForMs());
        await leaveSlice(tx, ids, { delayMs });
      });
      result.onTheirOwn += some.length;
    }
  }

  /** Tells the releaser when half of the messages are done and when all are, because it then lets others go. */
  async function inLanes(members: readonly BeforeSend[], work: (member: BeforeSend) => Promise<void>): Promise<void> {
    const waiting = [...members];
    const failures: unknown[] = [];
    let done = 0;
    const lane = async (): Promise<void> => {
      for (let member = waiting.shift(); member !== undefined; member = waiting.shift()) {
        try {
          await work(member);
        } catch (error) {
          // The failure of one message must not hold up the others. The next attempt comes back to the message.
          failures.push(error);
        }
        done += 1;
        if (done === members.length || done === Math.ceil(members.length / 2)) {
          database.wakeups.wake('release', member.sessionId);
        }
      }
    };
    const [first] = members;
    if (first === undefined) return;
    await Promise.all(Array.from({ length: Math.max(limits.of(first).perOwner, LEAST_LANES) }, lane));
    if (failures.length > 0) throw failures[0];
  }

  return sendSlice;
}

/**
 * True for a message whose file must be fetched, or that shows typing first: its own execution has the time for it. The
 * dispatcher leaves such messages out (`listSlow`), except those that a tenant's new settings have made slow since.
 */
function isSlow({ status, kind, types }: BeforeSend): boolean {
  return status === 'queued' && (types || isMedia(kind));
}
