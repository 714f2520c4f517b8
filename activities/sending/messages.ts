import { activityInfo } from '@temporalio/activity';
import type { BeforeSend } from '../../db/sending/before-send.ts';
import { givePlaceBack } from '../../db/sending/pace.ts';
import { isMedia } from '../../domain/sending/content.ts';
import { EngineError } from '../../domain/error.ts';
import { CALL_WAIT_MS } from '../../domain/sending/message-state.ts';
import { createAckLooks } from './ack-looks.ts';
import { createCalls } from './calls.ts';
import { createDecisions } from './decisions.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { beating } from '../heartbeat.ts';
import { createPrepare } from './prepare.ts';
import { createSend } from './send.ts';
import { createSlice } from './slice.ts';
import { stateOf } from './send-result.ts';
import type { SendResult } from './send-result.ts';
import { createSettleMessage } from './settle-message.ts';
import type { Settled } from './settle-message.ts';

export type MessageActivities = Omit<ReturnType<typeof createMessageActivities>, 'finishCalls'>;

/**
 * A local activity holds up its workflow task, so it waits only briefly for a slot. A regular activity may wait longer.
 */
const LOCAL_SLOT_WAIT_MS = 3_000;
const SLOT_WAIT_MS = 30_000;
/** No call to the backend takes longer than this. */
const WHOLE_CALL_MS = 300_000;
/**
 * After this many failures by our own fault a message gives its place back, because many such messages would hold up
 * their session for a day.
 */
const ATTEMPTS_IN_PLACE = 3;

type MessageDependencies = Pick<
  ActivityDependencies,
  'database' | 'backends' | 'limits' | 'shares' | 'settleDelays' | 'egress' | 'media' | 'thumbnails' | 'stopping'
>;

export function createMessageActivities(deps: MessageDependencies) {
  const { database } = deps;
  const calls = createCalls(deps);
  const sends = createSend(deps, calls);
  const { send, look } = sends;
  const { fetchFile, prepare } = createPrepare(deps);
  const { withSoonAck } = createAckLooks(deps);
  const settle = createSettleMessage(deps, calls);

  /**
   * Claims the message and calls the backend. A message with a file or with typing takes longer than a local activity
   * should, so it is left to `prepareAndSend`. Safe to repeat: the claim in the database lets one attempt through, and
   * an attempt that finds a claim answers `unsettled` instead of sending again.
   * Rows: message, message_history, session_pace.
   */
  async function sendMessage({ messageId }: { messageId: string }): Promise<SendResult | { state: 'to_prepare' }> {
    const takenAt = performance.now();
    const before = await look(messageId);
    if (!before) return { state: 'ended', status: 'unknown', reason: null };
    if (before.status === 'queued' && (before.types || isMedia(before.kind))) return { state: 'to_prepare' };
    const attempt = { takenAt, slotWaitMs: LOCAL_SLOT_WAIT_MS, callWaitMs: CALL_WAIT_MS };
    return withSoonAck(messageId, await inItsPlace(before, () => send(before, attempt)));
  }

  /**
   * Fetches the file, shows typing, and sends. Safe to repeat: a file in the store is not fetched again, typing is only
   * for show, and the send is as safe as `sendMessage`. Rows: message, message_history.
   */
  async function prepareAndSend({ messageId }: { messageId: string }): Promise<SendResult> {
    const takenAt = performance.now();
    return beating(async () => {
      const before = await look(messageId);
      if (!before) return { state: 'ended', status: 'unknown', reason: null };
      if (before.status !== 'queued') return withSoonAck(messageId, await stateOf(database, messageId));
      const sent = await inItsPlace(before, async () => {
        const notFetched = await fetchFile(before);
        return notFetched ?? send(before, { takenAt, slotWaitMs: SLOT_WAIT_MS, callWaitMs: WHOLE_CALL_MS, prepare });
      });
      return withSoonAck(messageId, sent);
    });
  }

  async function settleMessage(look: { messageId: string; again: boolean }): Promise<Settled> {
    return withSoonAck(look.messageId, await settle(look));
  }

  /**
   * Gives back the place of a message that keeps failing by our own fault. A claimed message has no place to give back,
   * so its error is thrown.
   */
  async function inItsPlace(before: BeforeSend, work: () => Promise<SendResult>): Promise<SendResult> {
    try {
      return await work();
    } catch (error) {
      // A file that cannot be fetched is its server's fault; `fetchFile` counts those attempts itself.
      const isOurs = !(error instanceof EngineError && error.code === 'media_unavailable');
      if (!isOurs || activityInfo().attempt < ATTEMPTS_IN_PLACE) throw error;
      if (!(await database.transaction((tx) => givePlaceBack(tx, before)))) throw error;
      return { state: 'waiting', reason: 'the engine lacks what it needs for it' };
    }
  }

  return {
    sendMessage,
    prepareAndSend,
    sendSlice: createSlice(deps, sends),
    settleMessage,
    ...createDecisions(deps),
    finishCalls: calls.finishCalls,
  };
}
