import { defineSearchAttributeKey } from '@temporalio/common';
import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { SearchAttribute } from '../domain/workflows.ts';

const OUTCOME = defineSearchAttributeKey('Outcome' satisfies SearchAttribute, 'KEYWORD');

/**
 * Makes the outcome findable. Only where the workflow was started with the attribute: a namespace that lacks it would
 * refuse the workflow task for ever, and the dispatcher, which knows, leaves it out of the start there.
 */
export function recordOutcome(outcome: string): void {
  if (workflowInfo().typedSearchAttributes.get(OUTCOME) === undefined) return;
  upsertSearchAttributes([{ key: OUTCOME, value: outcome }]);
}
