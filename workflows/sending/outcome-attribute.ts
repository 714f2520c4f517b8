import { defineSearchAttributeKey } from '@temporalio/common';
import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { SearchAttribute } from '../../domain/workflows.ts';

const OUTCOME = defineSearchAttributeKey('Outcome' satisfies SearchAttribute, 'KEYWORD');

/**
 * Makes the outcome findable. A namespace that lacks the attribute would refuse the workflow task for ever. The
 * dispatcher knows which attributes the namespace has and leaves a missing one out of the start, so only a workflow
 * that was started with the attribute may set it.
 */
export function recordOutcome(outcome: string): void {
  if (workflowInfo().typedSearchAttributes.get(OUTCOME) === undefined) return;
  upsertSearchAttributes([{ key: OUTCOME, value: outcome }]);
}
