import type { AutomationChange } from '../../db/automations/automation.ts';

/** Shows earlier settings as responses do. */
export function changesOf<Change extends AutomationChange>(changes: readonly Change[]) {
  return changes.map(({ at, ...change }) => ({ ...change, at: at.toISOString() }));
}
