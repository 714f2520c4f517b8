import { ActivityFailure } from '@temporalio/common';
import { isCancellation } from '@temporalio/workflow';
import { fieldOf } from './decision.ts';

/**
 * Returns the word by which an activity has failed, such as `session_not_ready`; `internal` where nobody has named one,
 * and null for what is no failure of an activity.
 */
export function failureTypeOf(error: unknown): string | null {
  if (!(error instanceof ActivityFailure) || isCancellation(error)) return null;
  const type = fieldOf(error.cause, 'type');
  return typeof type === 'string' ? type : 'internal';
}
