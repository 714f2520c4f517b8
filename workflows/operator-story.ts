import { defineQuery, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import { isWorkflowType, STATE_QUERY } from '../domain/names.ts';
import { RECONCILE, WORKFLOWS } from '../domain/workflows.ts';

/** A workflow's report to operators. */
interface Telling<View> {
  /** The result of the query `state`, for the list of queries in Temporal's UI. */
  state: string;
  /** The current details in Temporal's UI: a paragraph of Markdown each. */
  details: (view: View) => string[];
}

/**
 * Keeps how far a workflow is: the answer to its query `state`, and its current details in Temporal's UI, which end with
 * what the execution is and with the runbook of its type.
 */
export function createStory<View>(first: View, { state, details }: Telling<View>) {
  let view = first;
  setHandler(defineQuery<View>(STATE_QUERY), () => view, { description: state });
  return {
    view: (): View => view,
    tell(now: View): void {
      view = now;
      setCurrentDetails([...details(view), runbook()].join('\n\n'));
    },
  };
}

function runbook(): string {
  const { workflowType } = workflowInfo();
  const { oneForEach, runbook: symptom } = isWorkflowType(workflowType) ? WORKFLOWS[workflowType] : RECONCILE;
  return `One for each ${oneForEach}. If it is stuck: docs/operate/runbooks/${symptom}.md`;
}
