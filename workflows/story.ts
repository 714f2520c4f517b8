import { setCurrentDetails } from '@temporalio/workflow';

/**
 * Keeps how far a workflow is: the answer to its query `state`, and its current details in Temporal's UI, with a
 * paragraph for each line of `details`.
 */
export function createStory<View>(first: View, details: (view: View) => string[]) {
  let view = first;
  return {
    view: (): View => view,
    tell(now: View): void {
      view = now;
      setCurrentDetails(details(view).join('\n\n'));
    },
  };
}
