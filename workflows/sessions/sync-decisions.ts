import { defineUpdate, proxyActivities, setHandler } from '@temporalio/workflow';
import type { SyncDecisionActivities } from '../../activities/sessions/sync-decisions.ts';
import { TASK_QUEUES, UPDATES } from '../../domain/names.ts';
import { fieldOf, reasonOf, refusal, requireDecision } from '../decision.ts';
import type { Decision } from '../decision.ts';
import { requestId } from '../request-id.ts';

/** The extra scope of a read: one chat, or all; omitted bounds stay. */
interface Bounds {
  conversationId?: string;
  messagesPerChat?: number;
  messagesPerSession?: number;
  days?: number;
  events?: boolean;
}

const deepen = defineUpdate<{ asked: 'deepen' }, [Decision & Bounds]>(UPDATES.deepen);
const stop = defineUpdate<{ asked: 'stop' }, [Decision]>(UPDATES.stop);

const { decideSync } = proxyActivities<SyncDecisionActivities>({
  taskQueue: TASK_QUEUES.sync,
  startToCloseTimeout: '30 s',
  retry: { initialInterval: '500 ms', maximumInterval: '10 s' },
});

/** Takes a person's decisions about the reading of an account's past. `onDecided` is called after each. */
export function handleSyncDecisions(sessionId: string, onDecided: () => void): void {
  setHandler(
    deepen,
    async ({ actor, reason, conversationId, messagesPerChat, messagesPerSession, days, events }) => {
      const asked = { act: 'deepen', conversationId, messagesPerChat, messagesPerSession, days, events } as const;
      try {
        await decideSync({ sessionId, asked, actor, reason, requestId: requestId() });
        onDecided();
        return { asked: 'deepen' };
      } catch (error) {
        throw reasonOf(error);
      }
    },
    {
      description:
        'Read more history: { actor, reason }. Optional: conversationId, messagesPerChat, messagesPerSession, days (0 = any age), events (true reports each message).',
      validator: requireBounds,
    },
  );
  setHandler(
    stop,
    async ({ actor, reason }) => {
      try {
        await decideSync({ sessionId, asked: { act: 'stop' }, actor, reason, requestId: requestId() });
        onDecided();
        return { asked: 'stop' };
      } catch (error) {
        throw reasonOf(error);
      }
    },
    {
      description: 'Stop reading history: { actor, reason }. New messages are still read.',
      validator: requireDecision,
    },
  );
}

const MAX = { messagesPerChat: 1_000_000, messagesPerSession: 20_000_000, days: 36_500 };

/** Throws unless what a person has typed is a decision with bounds that may be asked for. */
function requireBounds(given: unknown): void {
  requireDecision(given);
  const conversationId = fieldOf(given, 'conversationId');
  if (conversationId !== undefined && (typeof conversationId !== 'string' || !conversationId.startsWith('cnv_'))) {
    throw refusal('invalid_request', '"conversationId" must be the id of a conversation, which begins with cnv_.');
  }
  const events = fieldOf(given, 'events');
  if (events !== undefined && typeof events !== 'boolean')
    throw refusal('invalid_request', '"events" must be true or false.');
  for (const [name, max] of Object.entries(MAX)) {
    const value = fieldOf(given, name);
    const min = name === 'days' ? 0 : 1;
    if (value === undefined || (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max)) {
      continue;
    }
    throw refusal('invalid_request', `"${name}" must be a whole number from ${min} to ${max}.`);
  }
}
