import {
  allHandlersFinished,
  condition,
  continueAsNew,
  patched,
  proxyActivities,
  proxyLocalActivities,
  workflowInfo,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { defineSearchAttributeKey } from '@temporalio/common';
import { ACK_WATCH_MS, EXPIRES_AFTER_MS, UNCERTAIN_OPEN_MS } from '../../domain/sending/message-state.ts';
import { pauses } from '../../domain/pauses.ts';
import type { MessageActivities } from '../../activities/sending/messages.ts';
import type { SendResult } from '../../activities/sending/send-result.ts';
import { alarm } from '../alarm.ts';
import type { Alarm } from '../alarm.ts';
import { handleDecisions } from './decisions.ts';
import { handleHints } from './hints.ts';
import type { Hints } from './hints.ts';
import { slowQueue } from './slow-queue.ts';
import { messageStory } from './message-story.ts';
import type { MessageStory } from './message-story.ts';
import { LOCAL_WITHIN } from '../timeouts.ts';
import type { SearchAttribute } from '../../domain/workflows.ts';

/** The call waits at most 4 s for the backend; the rest is room for a slot and two transactions on a busy machine. */
const { sendMessage } = proxyLocalActivities<MessageActivities>({
  startToCloseTimeout: LOCAL_WITHIN,
  retry: { initialInterval: '500 ms', maximumInterval: '5 s' },
});

/**
 * A file may take a minute to fetch and three to hand over. A file's server that does not answer is asked six times.
 */
const { prepareAndSend } = proxyActivities<MessageActivities>({
  startToCloseTimeout: '10 m',
  heartbeatTimeout: '20 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
  summary: 'prepare and send',
});

/** Looks once for the outcome of a send. Each round of the look may ask the backend some questions. */
const { settleMessage } = proxyActivities<MessageActivities>({
  startToCloseTimeout: '3 m',
  heartbeatTimeout: '20 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
  summary: 'check the outcome of the send',
});

const PAUSES = pauses({ fromMs: 2_000, toMs: 60_000 });
const DELIVERED = 2;
const ROUNDS_PER_RUN = 100;

/** The state that a run hands to the run that continues it. */
interface Carried {
  attempts: number;
  waits: number;
  /** The ack level that the network has confirmed. */
  level: number;
  toPrepare: boolean;
  pauseMs: number;
  /** The tries of a message before the next run begins. If a backend refuses the message, that takes some hours. */
  roundsLeft: number;
}

const FRESH: Carried = {
  attempts: 0,
  waits: 0,
  level: 0,
  toPrepare: false,
  pauseMs: PAUSES.firstMs,
  roundsLeft: ROUNDS_PER_RUN,
};

interface Delivery {
  messageId: string;
  story: MessageStory;
  hints: Hints;
}

/**
 * Tells the story of one message: sends it, and settles an unknown outcome. Returns the outcome. It waits for an ack only
 * if a worker of the previous release has sent the message. Rows: message, message_history.
 */
export async function deliverMessage(messageId: string, given?: Carried): Promise<string> {
  // While a version replaces the one before, a worker of the older version may drive this run. That worker begins anew
  // without reading `given`, and so does every worker that goes on with what it did.
  const carried = given !== undefined && patched('deliver-message-continued') ? given : FRESH;
  const hints = handleHints(carried.level);
  const story = messageStory(carried);
  handleDecisions(messageId, story, hints);

  const { outcome, reason } = await deliver({ messageId, story, hints }, carried);
  await condition(allHandlersFinished);
  story.tell('ended', reason === null ? outcome : `${outcome}: ${reason}`);
  recordOutcome(outcome);
  return outcome;
}

async function deliver(delivery: Delivery, carried: Carried): Promise<{ outcome: string; reason: string | null }> {
  const { story, hints } = delivery;
  const expiry = alarm(EXPIRES_AFTER_MS.default, 'until it is worthless');
  const closes = alarm(UNCERTAIN_OPEN_MS, 'open for `resolve`');
  let { toPrepare, pauseMs } = carried;
  for (let rounds = 1; ; rounds += 1) {
    hints.mustLook = false;
    const result = await settle(delivery, await attempt(delivery, toPrepare));
    switch (result.state) {
      case 'to_prepare':
        toPrepare = true;
        continue;
      case 'sent':
        hints.level = hints.level < 0 ? hints.level : Math.max(hints.level, result.level);
        return { outcome: await watch(delivery, result.watch), reason: null };
      case 'ended':
        if (result.status === 'uncertain' && (await isResolvedInTime(delivery, closes, result.cause ?? result.reason)))
          continue;
        return { outcome: result.status, reason: result.reason };
      case 'waiting':
        expiry.set();
        story.tell('waiting', result.reason, { until: expiry.ringsAt() });
        await condition(() => hints.mustLook || expiry.rang());
        break;
      case 'retry':
        story.tell('pausing', result.reason);
        await condition(() => hints.mustLook, pauseMs, { summary: `check again soon: ${result.reason}` });
        pauseMs = PAUSES.next(pauseMs);
    }
    if (isRunFull(rounds, carried)) await continueInNewRun(delivery, { toPrepare, pauseMs });
  }
}

async function attempt(
  { messageId, story }: Delivery,
  toPrepare: boolean,
): Promise<SendResult | { state: 'to_prepare' }> {
  story.tell(toPrepare ? 'preparing' : 'sending');
  const result = await (toPrepare
    ? prepareAndSend.executeWithOptions(slowQueue(), [{ messageId }])
    : sendMessage({ messageId }));
  const { attempts } = 'attempts' in result ? result : {};
  if (attempts !== undefined || ['sent', 'retry', 'unsettled'].includes(result.state)) story.countAttempt(attempts);
  return result;
}

/** Finds out what became of a send whose answer is lost; any other result is passed on as it is. */
async function settle<R extends { state: string }>(
  { messageId, story, hints }: Delivery,
  result: R | { state: 'unsettled' },
): Promise<R | Exclude<SendResult, { state: 'unsettled' }>> {
  if (!isUnsettled(result)) return result;
  story.tell('settling');
  // It may take minutes until an absence is certain. The workflow waits them out, because an activity holds a slot that
  // others need.
  for (let again = false; ; again = true) {
    hints.mustLook = false;
    const settling = await settleMessage.executeWithOptions(slowQueue(), [{ messageId, again }]);
    if (settling.state !== 'unsettled') return settling;
    await condition(() => hints.mustLook, settling.lookAgainInMs, {
      summary: 'wait for the next check of the outcome',
    });
  }
}

/**
 * Returns true when somebody, or the network, has said what became of the message. A further hint does not keep the
 * message open for longer.
 */
async function isResolvedInTime({ story, hints }: Delivery, closes: Alarm, cause: string | null): Promise<boolean> {
  recordOutcome('uncertain');
  if (!closes.rang()) closes.set();
  story.tell('uncertain', null, { cause: cause ?? undefined, until: closes.ringsAt() });
  await condition(() => hints.mustLook || closes.rang());
  return hints.mustLook;
}

async function watch({ story, hints }: Delivery, wanted: boolean): Promise<string> {
  if (wanted && hints.level >= 0 && hints.level < DELIVERED) {
    story.tell('watching');
    const closes = alarm(ACK_WATCH_MS, 'waiting for the delivery ack');
    closes.set();
    await condition(() => hints.level >= DELIVERED || hints.level < 0 || closes.rang());
  }
  return hints.level < 0 ? 'failed' : hints.level >= DELIVERED ? 'delivered' : 'sent';
}

/** Tells whether the next run must begin. Runs that began before this bound existed go on without it. */
function isRunFull(rounds: number, { roundsLeft }: Carried): boolean {
  const isFull = rounds >= roundsLeft || workflowInfo().continueAsNewSuggested;
  return isFull && patched('deliver-message-bounded');
}

/**
 * Continues in a new run. Between two tries the row holds everything, and the next run begins with a look at the row,
 * so no signal is lost.
 */
async function continueInNewRun(
  { messageId, story, hints }: Delivery,
  { toPrepare, pauseMs }: Pick<Carried, 'toPrepare' | 'pauseMs'>,
): Promise<never> {
  await condition(allHandlersFinished);
  const { attempts, waits } = story.view();
  const next: Carried = { attempts, waits, level: hints.level, toPrepare, pauseMs, roundsLeft: ROUNDS_PER_RUN };
  return continueAsNew<typeof deliverMessage>(messageId, next);
}

function isUnsettled(result: { state: string }): result is { state: 'unsettled' } {
  return result.state === 'unsettled';
}

const OUTCOME = defineSearchAttributeKey('Outcome' satisfies SearchAttribute, 'KEYWORD');

/**
 * Makes the outcome findable. A namespace that lacks the attribute would refuse the workflow task for ever. The
 * dispatcher knows which attributes the namespace has and leaves a missing one out of the start, so only a workflow
 * that was started with the attribute may set it.
 */
function recordOutcome(outcome: string): void {
  if (workflowInfo().typedSearchAttributes.get(OUTCOME) === undefined) return;
  upsertSearchAttributes([{ key: OUTCOME, value: outcome }]);
}
