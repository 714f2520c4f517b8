import {
  allHandlersFinished,
  condition,
  continueAsNew,
  patched,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { ACK_WATCH_MS, EXPIRES_AFTER_MS, UNCERTAIN_OPEN_MS } from '../domain/sending/message-state.ts';
import { TASK_QUEUES } from '../domain/names.ts';
import type { MessageActivities } from '../activities/sending/messages.ts';
import type { SendResult } from '../activities/sending/send-result.ts';
import { alarm } from './alarm.ts';
import { recordOutcome } from './outcome-attribute.ts';
import { acked, changed, released } from './signals.ts';
import { createStory } from './story.ts';
import type { Phase } from './story.ts';
import { cancel, requireDecision, requireResolution, resolve, state } from './updates.ts';

/** The call waits at most 4 s for the backend; the rest is room for a slot, the recipient's check and two transactions. */
const { sendMessage, cancelMessage, resolveMessage } = proxyLocalActivities<MessageActivities>({
  startToCloseTimeout: '15 s',
  retry: { initialInterval: '500 ms', maximumInterval: '5 s' },
});

/** A file may take a minute to fetch and three to hand over; where its server does not answer it is asked six times. */
const { prepareAndSend } = proxyActivities<MessageActivities>({
  taskQueue: TASK_QUEUES.delivery,
  startToCloseTimeout: '10 m',
  heartbeatTimeout: '20 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
  summary: 'prepare and send',
});

/** One look for what became of a send; each round of it may ask the backend some questions. */
const { settleMessage } = proxyActivities<MessageActivities>({
  taskQueue: TASK_QUEUES.delivery,
  startToCloseTimeout: '3 m',
  heartbeatTimeout: '20 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
  summary: 'find out what became of the send',
});

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;
const DELIVERED = 2;

interface Ending {
  outcome: string;
  reason: string | null;
}

/** What a run that continues another goes on with. */
interface Carried {
  attempts: number;
  waits: number;
  /** What the network has confirmed. */
  level: number;
  toPrepare: boolean;
  pauseMs: number;
  /** So often it is tried before the next run begins; some hours where a backend refuses it. */
  roundsLeft: number;
}

const ROUNDS_PER_RUN = 100;
const FRESH: Carried = {
  attempts: 0,
  waits: 0,
  level: 0,
  toPrepare: false,
  pauseMs: FIRST_PAUSE_MS,
  roundsLeft: ROUNDS_PER_RUN,
};

/** Before the claim, as far as the workflow knows; the row decides. */
const CANCELLABLE: readonly Phase[] = ['sending', 'preparing', 'waiting', 'pausing'];

/** The story of one message: send, settle what is unknown, watch for the ack that decides it. The result is its outcome. */
export async function deliverMessage(messageId: string, given?: Carried): Promise<string> {
  // A worker of the release before, while it is replaced, does not read it and begins anew: so does who goes on with that.
  const carried = given !== undefined && patched('deliver-message-continued') ? given : FRESH;
  const story = createStory(carried);
  let { level } = carried;
  let look = false;
  setHandler(acked, (reached) => void (level = reached < 0 ? reached : Math.max(level, reached)), {
    description: 'The network has confirmed a level of this message; -1 is an error.',
  });
  setHandler(released, () => void (look = true), { description: 'The session may send again.' });
  setHandler(changed, () => void (look = true), {
    description: "Somebody has changed the message's row: look at it again.",
  });
  setHandler(state, () => story.view, {
    description: 'How far the delivery is: phase, attempts, waits and the reason.',
  });
  setHandler(
    cancel,
    async ({ actor, reason }) => {
      const cancelled = await cancelMessage({ messageId, actor, reason });
      look = true;
      return cancelled;
    },
    {
      description: 'Do not send it after all: { actor, reason }. Possible until it is claimed.',
      validator: (decision) => {
        requireDecision(decision);
        requirePhase(story.view.phase, CANCELLABLE, 'too late to cancel');
      },
    },
  );
  setHandler(
    resolve,
    async ({ outcome, actor, reason }) => {
      const resolved = await resolveMessage({ messageId, outcome, actor, reason });
      look = true;
      return resolved;
    },
    {
      description: 'Say what became of an uncertain message: { outcome: "sent" | "resend" | "failed", actor, reason }.',
      validator: (resolution) => {
        requireResolution(resolution);
        requirePhase(story.view.phase, ['uncertain'], 'only an uncertain message is resolved');
      },
    },
  );

  const { outcome, reason } = await deliver();
  await condition(allHandlersFinished);
  story.tell('ended', reason === null ? outcome : `${outcome}: ${reason}`);
  recordOutcome(outcome);
  return outcome;

  async function deliver(): Promise<Ending> {
    const expiry = alarm(EXPIRES_AFTER_MS.default, 'until it is worthless');
    const closes = alarm(UNCERTAIN_OPEN_MS, 'open for `resolve`');
    let { toPrepare, pauseMs } = carried;
    for (let rounds = 1; ; rounds += 1) {
      look = false;
      const result = await settled(await attempt());
      switch (result.state) {
        case 'to_prepare':
          toPrepare = true;
          continue;
        case 'sent':
          level = level < 0 ? level : Math.max(level, result.level);
          return { outcome: await watch(result.watch), reason: null };
        case 'ended':
          if (result.status === 'uncertain' && (await resolvedInTime(closes))) continue;
          return { outcome: result.status, reason: result.reason };
        case 'waiting':
          story.tell('waiting', result.reason);
          expiry.set();
          await condition(() => look || expiry.rang());
          break;
        case 'retry':
          story.tell('pausing', result.reason);
          await condition(() => look, pauseMs, { summary: `again soon: ${result.reason}` });
          pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      }
      if (isRunFull(rounds)) await goOnInNewRun(toPrepare, pauseMs);
    }

    /** Between two tries the row holds everything: the next run begins with a look at it, so no signal is lost. */
    async function goOnInNewRun(toPrepare: boolean, pauseMs: number): Promise<never> {
      await condition(allHandlersFinished);
      const { attempts, waits } = story.view;
      const next: Carried = { attempts, waits, level, toPrepare, pauseMs, roundsLeft: ROUNDS_PER_RUN };
      return continueAsNew<typeof deliverMessage>(messageId, next);
    }

    /** Runs that began before there was a bound go on without it. */
    function isRunFull(rounds: number): boolean {
      const isFull = rounds >= carried.roundsLeft || workflowInfo().continueAsNewSuggested;
      return isFull && patched('deliver-message-bounded');
    }

    async function attempt(): Promise<SendResult | { state: 'to_prepare' }> {
      story.tell(toPrepare ? 'preparing' : 'sending');
      const result = await (toPrepare ? prepareAndSend({ messageId }) : sendMessage({ messageId }));
      if (['sent', 'retry', 'unsettled'].includes(result.state)) story.view.attempts += 1;
      return result;
    }
  }

  async function settled<R extends { state: string }>(
    result: R | { state: 'unsettled' },
  ): Promise<R | Exclude<SendResult, { state: 'unsettled' }>> {
    if (!isUnsettled(result)) return result;
    story.tell('settling');
    // "Certainly absent" may need minutes, which are the workflow's: an activity holds a place that others need.
    for (let again = false; ; again = true) {
      look = false;
      const settling = await settleMessage({ messageId, again });
      if (settling.state !== 'unsettled') return settling;
      await condition(() => look, settling.lookAgainInMs, { summary: 'what became of the send is looked for again' });
    }
  }

  /** True when somebody, or the network, has said what became of it; told of anything else, it is open no longer than before. */
  async function resolvedInTime(closes: ReturnType<typeof alarm>): Promise<boolean> {
    story.tell('uncertain');
    recordOutcome('uncertain');
    if (!closes.rang()) closes.set();
    await condition(() => look || closes.rang());
    return look;
  }

  async function watch(wanted: boolean): Promise<string> {
    if (wanted && level >= 0 && level < DELIVERED) {
      story.tell('watching');
      const closes = alarm(ACK_WATCH_MS, 'waiting for the delivery ack');
      closes.set();
      await condition(() => level >= DELIVERED || level < 0 || closes.rang());
    }
    return level < 0 ? 'failed' : level >= DELIVERED ? 'delivered' : 'sent';
  }
}

function requirePhase(phase: Phase, allowed: readonly Phase[], why: string): void {
  if (!allowed.includes(phase)) throw new Error(`It is ${phase}: ${why}.`);
}

function isUnsettled(result: { state: string }): result is { state: 'unsettled' } {
  return result.state === 'unsettled';
}
