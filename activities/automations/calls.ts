import { activityInfo } from '@temporalio/activity';
import { findCallable } from '../../db/automations/callable-endpoint.ts';
import type { ExecutionStanding } from '../../db/automations/execution.ts';
import type { StepDetail } from '../../db/automations/steps.ts';
import { readAnswer } from '../../domain/automations/answers.ts';
import type { Answer } from '../../domain/automations/answers.ts';
import { EngineError } from '../../domain/error.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { createAttemptSlots } from '../webhooks/attempt-slots.ts';
import { attemptDelivery, targetOf } from '../webhooks/attempt.ts';
import type { Attempt } from '../webhooks/attempt.ts';
import { takeOutside } from './take-step.ts';
import type { Taken, TakenStep } from './take-step.ts';

export type CallActivities = ReturnType<typeof createCallActivities>;

/** An automation's message to an endpoint, and the schema of the response. With null, nobody reads the response. */
export interface Call {
  endpointId: string;
  data: Readonly<Record<string, string | number | boolean | null>>;
  answer: string | null;
}

interface CallDependencies extends Pick<ActivityDependencies, 'database' | 'automations' | 'shares'> {
  egress: Pick<ActivityDependencies['egress'], 'post'>;
}

/** The calls of automations that a process makes at a time; the deliveries of events have slots of their own. */
const MAX_CALLS = 100;
/** A receiver that asks for a longer pause gets this one. */
const MAX_PAUSE_MS = 5 * 60_000;
/** Failures that a repeat does not fix. */
const REFUSALS: ReadonlySet<Attempt['class']> = new Set([
  'client_error',
  'gone',
  'redirect_not_followed',
  'blocked_address',
  'insecure_url',
]);

/** Creates the activity by which automations call what their tenants have built. */
export function createCallActivities({ database, egress, automations, shares }: CallDependencies) {
  const slots = createAttemptSlots(MAX_CALLS, shares);

  /**
   * Posts one signed request to an endpoint of the tenant, as events are posted: through the guarded egress, with the
   * endpoint's secret, headers and timeout. Safe to repeat: the bytes and `webhook-id` are the same at each attempt, by
   * which the receiver knows it. Rows: automation_step, endpoint.
   */
  async function callWebhook({ endpointId, data, answer, ...step }: TakenStep & Call): Promise<Taken> {
    return takeOutside(database, step, async (standing, startedAt) => {
      const eventId = `${step.executionId}-${step.number}`;
      const body = bodyOf(standing, { executionId: step.executionId, eventId, data, startedAt });
      const attempt = await post(standing, endpointId, { eventId, body });
      const detail: StepDetail = { endpointId, eventId, status: attempt.status };
      return answer === null ? detail : { ...detail, answer: read(standing, answer, attempt) };
    });
  }

  async function post(
    { agencyId, tenantId }: ExecutionStanding,
    endpointId: string,
    message: { eventId: string; body: string },
  ): Promise<Attempt> {
    const endpoint = await database.read((queries) => findCallable(queries, { agencyId, tenantId }, endpointId));
    const target = endpoint && targetOf(database, endpoint);
    if (!target) throw new EngineError('endpoint_unusable', `The endpoint ${endpointId} accepts no calls now.`);
    const owner = `${agencyId}/${tenantId}`;
    if (slots.take(owner, 1) === 0)
      throw new EngineError('calls_full', 'The limit of calls in progress in this process is reached.');
    try {
      const attempts = activityInfo().attempt - 1;
      return requireTaken(await attemptDelivery({ egress, database }, target, { ...message, attempts }));
    } finally {
      slots.giveBack(owner, 1);
    }
  }

  /** Reads what of the answer the automation has named, and nothing else of it. */
  function read({ definition }: ExecutionStanding, name: string, { excerpt }: Attempt): Answer {
    const form = automations.find(definition)?.answers[name];
    if (!form) throw new Error(`The definition has no answer ${name}.`);
    const found = readAnswer(form, jsonOf(excerpt ?? ''), '');
    if ('answer' in found) return found.answer;
    throw new EngineError('answer_unfit', `The answer does not have the form "${name}".`);
  }

  return { callWebhook };
}

interface Told {
  executionId: string;
  eventId: string;
  data: Call['data'];
  startedAt: Date;
}

/** The same bytes at each attempt. They are those of an event, so that one receiver reads both. */
function bodyOf(standing: ExecutionStanding, { executionId, eventId, data, startedAt }: Told): string {
  const { agencyId, tenantId, sessionId, conversationId, contactId, definition } = standing;
  return JSON.stringify({
    event: 'automation.call',
    payload: { executionId, automation: definition, sessionId, conversationId, contactId, data },
    metadata: { agencyId, tenantId, eventId, sessionId, conversationId, occurredAt: startedAt.toISOString() },
  });
}

function requireTaken(attempt: Attempt): Attempt {
  if (attempt.class === 'delivered') return attempt;
  const how = attempt.status === null ? attempt.class : `http_${attempt.status}`;
  if (REFUSALS.has(attempt.class)) throw new EngineError('webhook_refused', `The endpoint refused the call: ${how}.`);
  const pauseMs = Math.min(attempt.retryAfterMs ?? 0, MAX_PAUSE_MS);
  const wait = pauseMs > 0 ? { retryAfterMs: pauseMs } : {};
  throw new EngineError('webhook_failed', `The endpoint did not accept the call: ${how}.`, wait);
}

/** An answer that was cut, because it is too large, is no JSON any more. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
