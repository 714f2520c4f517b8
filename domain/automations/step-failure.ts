import type { StepFailure } from './execution.ts';

/** The errors of activities that say more of a step than that it has failed. */
const FAILURES: Readonly<Record<string, StepFailure>> = {
  label_unknown: 'label_unknown',
  not_supported_by_engine: 'not_supported_by_engine',
  session_not_ready: 'session_not_ready',
  backend_error: 'backend_unavailable',
  backend_unavailable: 'backend_unavailable',
  busy: 'backend_unavailable',
  endpoint_unusable: 'endpoint_unusable',
  webhook_failed: 'webhook_failed',
  webhook_refused: 'webhook_failed',
  calls_full: 'webhook_failed',
  answer_unfit: 'answer_unfit',
  http_failed: 'http_failed',
  http_refused: 'http_failed',
  secret_missing: 'secret_missing',
  budget_spent: 'budget_spent',
  model_failed: 'model_failed',
  model_unavailable: 'model_failed',
};

const KNOWN: ReadonlySet<string> = new Set(Object.values(FAILURES));

/** Says why a step has failed whose activity ended with this error. */
export function stepFailureOf(code: string): StepFailure {
  return FAILURES[code] ?? 'step_failed';
}

/** Tells whether what a step's row says of its failure is known to this release. */
export function isStepFailure(reason: unknown): reason is StepFailure {
  return typeof reason === 'string' && (KNOWN.has(reason) || reason === 'step_failed');
}
