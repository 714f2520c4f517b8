import { defineUpdate, proxyLocalActivities, setHandler } from '@temporalio/workflow';
import type { MessageActivities } from '../../activities/sending/messages.ts';
import { UPDATES } from '../../domain/names.ts';
import type { Resolution } from '../../domain/sending/resolution.ts';
import { fieldOf, reasonOf, refusal, requireDecision } from '../decision.ts';
import type { Decision } from '../decision.ts';
import { LOCAL_WITHIN } from '../timeouts.ts';
import type { Hints } from './hints.ts';
import type { MessageStory, Phase } from './message-story.ts';

/** Cancels a message that is not sent yet. */
const cancel = defineUpdate<{ status: string }, [Decision]>(UPDATES.cancel);
/** Says what became of a message of unknown outcome. The person who decides it has looked into the chat. */
const resolve = defineUpdate<{ status: string; resentAs: string | null }, [Resolution]>(UPDATES.resolve);

const { cancelMessage, resolveMessage } = proxyLocalActivities<MessageActivities>({
  startToCloseTimeout: LOCAL_WITHIN,
  retry: { initialInterval: '500 ms', maximumInterval: '5 s' },
});

/**
 * The phases before the claim, as far as the workflow knows. The row decides whether the message can still be
 * cancelled.
 */
const CANCELLABLE: readonly Phase[] = ['sending', 'preparing', 'waiting', 'pausing'];

const OUTCOMES: readonly string[] = ['sent', 'resend', 'failed'] satisfies Resolution['outcome'][];

/** Takes a person's decisions about the message; the main line looks at the row after each. */
export function handleDecisions(messageId: string, story: MessageStory, hints: Hints): void {
  setHandler(
    cancel,
    async ({ actor, reason }) => {
      try {
        const cancelled = await cancelMessage({ messageId, actor, reason });
        hints.mustLook = true;
        return cancelled;
      } catch (error) {
        throw reasonOf(error);
      }
    },
    {
      description: 'Cancel the message: { actor, reason }. Possible until it is claimed.',
      validator: (decision) => {
        requireDecision(decision);
        const { phase } = story.view();
        if (!CANCELLABLE.includes(phase)) {
          const code = phase === 'settling' ? 'message_on_its_way' : 'message_ended';
          throw refusal(code, `It is ${phase}: too late to cancel.`);
        }
      },
    },
  );
  setHandler(
    resolve,
    async ({ outcome, actor, reason }) => {
      try {
        const resolved = await resolveMessage({ messageId, outcome, actor, reason });
        hints.mustLook = true;
        return resolved;
      } catch (error) {
        throw reasonOf(error);
      }
    },
    {
      description: 'Resolve an uncertain message: { outcome: "sent" | "resend" | "failed", actor, reason }.',
      validator: (resolution) => {
        requireResolution(resolution);
        const { phase } = story.view();
        if (phase !== 'uncertain') {
          throw refusal('message_not_uncertain', `It is ${phase}: only an uncertain message can be resolved.`);
        }
      },
    },
  );
}

function requireResolution(given: unknown): void {
  requireDecision(given);
  const outcome = fieldOf(given, 'outcome');
  if (typeof outcome !== 'string' || !OUTCOMES.includes(outcome)) {
    throw refusal('invalid_request', `"outcome" must be one of ${OUTCOMES.join(', ')}.`);
  }
}
