import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import type { ErrorCode } from '../domain/error.ts';

/** A person's decision. Its actor and reason are kept in the history of the object that it is about. */
export interface Decision {
  actor: string;
  reason: string;
}

/**
 * Throws unless the value is a decision. A person types it by hand in Temporal's UI, so it may be anything. The check
 * does without zod, because every cached workflow would hold a copy of zod.
 */
export function requireDecision(given: unknown): void {
  requireText(given, 'actor');
  requireText(given, 'reason');
}

export function fieldOf(given: unknown, name: string): unknown {
  return typeof given === 'object' && given !== null ? Reflect.get(given, name) : undefined;
}

/** The text of an Update's input, which a person copies from the current details and fills in. */
export function toPaste(input: object = {}): string {
  return `\`${JSON.stringify({ ...input, actor: 'your name', reason: 'why' })}\``;
}

/** Throws unless the value has a text of that name. */
export function requireText(given: unknown, name: string): void {
  const value = fieldOf(given, name);
  if (typeof value !== 'string' || value.trim() === '' || value.length > 500) {
    throw refusal('invalid_request', `"${name}" must be a text of 1 to 500 characters.`);
  }
}

/** The failure with which an Update is refused: its type is a code of the API's errors, and a repetition does not help. */
export function refusal(code: ErrorCode, message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, code);
}

/**
 * Returns what an activity has refused a decision with. Without this, Temporal's UI shows only that an activity has
 * failed. Catch in the function that awaits the activity: another promise around it would change the order in which
 * recorded executions go on.
 */
export function reasonOf(error: unknown): unknown {
  return error instanceof ActivityFailure && error.cause instanceof ApplicationFailure ? error.cause : error;
}
