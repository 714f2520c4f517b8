import type { ApiDeps } from '../deps.ts';

/** The address of a workflow in Temporal's web UI, which shows its last run; null where nobody said where the UI is. */
export function temporalUrl(ui: ApiDeps['temporalUi'], workflowId: string): string | null {
  if (ui === null) return null;
  return `${ui.url}/namespaces/${encodeURIComponent(ui.namespace)}/workflows/${encodeURIComponent(workflowId)}`;
}
