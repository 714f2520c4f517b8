import type { AutomationChange } from '../../db/automations/automation.ts';

/** What was set before, as answers show it. */
export function changesOf<Change extends AutomationChange>(changes: readonly Change[]) {
  return changes.map(({ at, ...change }) => ({ ...change, at: at.toISOString() }));
}
