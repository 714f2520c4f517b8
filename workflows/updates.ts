import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { Resolution } from '../domain/sending/resolution.ts';
import { STATE_QUERY, UPDATES } from '../domain/names.ts';
import type { AgentView } from './agent-story.ts';
import type { SalesAgentActivities } from '../activities/agent/sales-agent.ts';
import type { WebhookActivities } from '../activities/webhooks/webhooks.ts';
import type { StoryView } from './story.ts';

/** Somebody's decision, with who and why for the message's history. */
export interface Decision {
  actor: string;
  reason: string;
}

/** Not to be sent after all. */
export const cancel = defineUpdate<{ status: string }, [Decision]>(UPDATES.cancel);
/** What became of a message of unknown outcome, by somebody who has looked into the chat. */
export const resolve = defineUpdate<{ status: string; resentAs: string | null }, [Resolution]>(UPDATES.resolve);
type HandsChanged = Awaited<ReturnType<SalesAgentActivities['changeHands']>>;

/** A person takes the conversation over from the agent. */
export const takeOver = defineUpdate<HandsChanged, [Decision]>(UPDATES.takeOver);
/** The agent gets the conversation back. */
export const release = defineUpdate<HandsChanged, [Decision]>(UPDATES.release);
/** How far the agent is. */
export const agentState = defineQuery<AgentView>(STATE_QUERY);
/** How far the delivery is. */
export const state = defineQuery<StoryView>(STATE_QUERY);

/** What became of an endpoint after somebody's decision. */
type EndpointState = Awaited<ReturnType<WebhookActivities['lookAtEndpoint']>>;
type Replayed = Awaited<ReturnType<WebhookActivities['replayEndpoint']>>;

/** Nothing is posted until it is resumed. */
export const pause = defineUpdate<EndpointState, [Decision]>(UPDATES.pause);
export const resume = defineUpdate<EndpointState, [Decision]>(UPDATES.resume);
/** What waits for its next attempt is due now. */
export const retryNow = defineUpdate<EndpointState, [Decision]>(UPDATES.retryNow);
export const replaySince = defineUpdate<Replayed, [Decision & { since?: string }]>(UPDATES.replaySince);
/** How the deliveries of an endpoint go; null before the first look. */
export const endpointState = defineQuery<EndpointState | null>(STATE_QUERY);

const OUTCOMES: readonly string[] = ['sent', 'resend', 'failed'] satisfies Resolution['outcome'][];

/** Typed by hand in Temporal's UI, so it may be anything. Without zod, which every cached workflow would hold a copy of. */
export function requireDecision(given: unknown): void {
  requireText(given, 'actor');
  requireText(given, 'reason');
}

export function requireResolution(given: unknown): void {
  requireDecision(given);
  const outcome = fieldOf(given, 'outcome');
  if (typeof outcome !== 'string' || !OUTCOMES.includes(outcome)) {
    throw new TypeError(`"outcome" must be one of ${OUTCOMES.join(', ')}.`);
  }
}

/** A time without a zone would be that of the worker's. */
const ZONED = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/;

export function requireReplay(given: unknown): void {
  requireDecision(given);
  const since = fieldOf(given, 'since');
  if (since !== undefined && (typeof since !== 'string' || !ZONED.test(since) || Number.isNaN(Date.parse(since)))) {
    throw new TypeError('"since" must be a time with its zone, such as "2026-01-31T00:00:00Z".');
  }
}

function requireText(given: unknown, name: string): void {
  const value = fieldOf(given, name);
  if (typeof value !== 'string' || value.trim() === '' || value.length > 500) {
    throw new TypeError(`"${name}" must be a text of 1 to 500 characters.`);
  }
}

function fieldOf(given: unknown, name: string): unknown {
  return typeof given === 'object' && given !== null ? Reflect.get(given, name) : undefined;
}
