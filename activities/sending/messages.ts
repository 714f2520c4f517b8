import { activityInfo } from '@temporalio/activity';
import type { BeforeSend } from '../../db/sending/before-send.ts';
import { givePlaceBack } from '../../db/sending/pace.ts';
import { isMedia } from '../../domain/sending/content.ts';
import { EngineError } from '../../domain/error.ts';
import { CALL_WAIT_MS } from '../../domain/sending/message-state.ts';
import { createCalls } from './calls.ts';
import { createDecisions } from './decisions.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { beating } from '../heartbeat.ts';
import { createPrepare } from './prepare.ts';
import { createSend } from './send.ts';
import { stateOf } from './send-result.ts';
import type { SendResult } from './send-result.ts';
import { createSettleMessage } from './settle-message.ts';

export type MessageActivities = Omit<ReturnType<typeof createMessageActivities>, 'finishCalls'>;

/** A local activity holds up its workflow task, so it waits briefly; a regular one may take its time. */
const LOCAL_SLOT_WAIT_MS = 3_000;
const SLOT_WAIT_MS = 30_000;
/** Longer than any call to the backend takes. */
const WHOLE_CALL_MS = 300_000;
/** After so many failures by our own fault a message lets others go, because many such would hold their session for a day. */
const ATTEMPTS_IN_PLACE = 3;

export function createMessageActivities(deps: ActivityDependencies) {
  const { database } = deps;
  const calls = createCalls(deps);
  const { send, look } = createSend(deps, calls);
  const { fetchFile, prepare } = createPrepare(deps);

  /**
   * Claims the message and makes the call; one that takes longer than a local activity should is left to
   * `prepareAndSend`. Safe to repeat: the claim in the database lets one attempt through, and an attempt that finds a
   * claim settles its outcome instead of sending again. Rows: message, message_history, session_pace.
   */
  async function sendMessage({ messageId }: { messageId: string }): Promise<SendResult | { state: 'to_prepare' }> {
    const before = await look(messageId);
    if (!before) return { state: 'ended', status: 'unknown', reason: null };
    if (before.status === 'queued' && (before.types || isMedia(before.kind))) return { state: 'to_prepare' };
    return inItsPlace(before, () => send(before, { slotWaitMs: LOCAL_SLOT_WAIT_MS, callWaitMs: CALL_WAIT_MS }));
  }

  /**
   * Fetches the file, shows typing, and sends. Safe to repeat: a file that is there is not fetched again, typing is for
   * show, and the send is `sendMessage`'s. Rows: message, message_history.
   */
  async function prepareAndSend({ messageId }: { messageId: string }): Promise<SendResult> {
    return beating(async () => {
      const before = await look(messageId);
      if (!before) return { state: 'ended', status: 'unknown', reason: null };
      if (before.status !== 'queued') return stateOf(database, messageId);
      return inItsPlace(before, async () => {
        const notFetched = await fetchFile(before);
        return notFetched ?? send(before, { slotWaitMs: SLOT_WAIT_MS, callWaitMs: WHOLE_CALL_MS, prepare });
      });
    });
  }

  /** Lets a message that goes on failing by our own fault give its place back; a message that is claimed has none to give. */
  async function inItsPlace(before: BeforeSend, work: () => Promise<SendResult>): Promise<SendResult> {
    try {
      return await work();
    } catch (error) {
      // A file that cannot be had is its server's fault; `fetchFile` counts those attempts itself.
      const isOurs = !(error instanceof EngineError && error.code === 'media_unavailable');
      if (!isOurs || activityInfo().attempt < ATTEMPTS_IN_PLACE) throw error;
      if (!(await database.transaction((tx) => givePlaceBack(tx, before)))) throw error;
      return { state: 'waiting', reason: 'the engine lacks what it needs for it' };
    }
  }

  return {
    sendMessage,
    prepareAndSend,
    settleMessage: createSettleMessage(deps, calls),
    ...createDecisions(deps),
    finishCalls: calls.finishCalls,
  };
}
