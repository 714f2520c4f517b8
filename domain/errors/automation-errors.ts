import type { ErrorEntry } from './entry.ts';

/** What keeps an automation, or a run of one, from what the request asks. */
export const AUTOMATION_ERRORS = {
  no_session: {
    status: 409,
    retry: false,
    title: 'No session',
    cause: 'The tenant has no session, so nothing could be sent for it.',
    mend: 'Connect an account first, by `POST /api/v1/sessions`.',
    example: { detail: 'Connect an account of the tenant first.' },
  },
  automations_stopped: {
    status: 409,
    retry: true,
    title: 'Automations stopped',
    cause: 'The operator has stopped the automations of the agency, or of all agencies.',
    mend: 'Wait until the operator lets them go on.',
    example: { detail: 'The operator has stopped automations: try again when they go on.' },
  },
  execution_running: {
    status: 409,
    retry: true,
    title: 'Execution running',
    cause: 'The run of the automation has not ended, so it cannot be repeated from its start.',
    mend: 'Wait for its end, or cancel it by `POST /api/v1/automation-executions/:id/cancel`.',
    example: { detail: 'It still runs: cancel it first, or wait for its end.' },
  },
  execution_ended: {
    status: 409,
    retry: false,
    title: 'Execution ended',
    cause: 'The run of the automation has come to its end, so it cannot be cancelled any more.',
    mend: 'Read the run to learn what it has done.',
    example: { detail: 'It has completed already.' },
  },
  budget_spent: {
    status: 429,
    retry: false,
    title: 'Budget spent',
    cause:
      "An automation asks the agent's model, and the tokens of the day are used up. Only the run shows it, as its `reason`.",
    mend: "Wait for the next day (UTC), or raise the persona's `maxTokensPerDay` or `maxTokensPerContactPerDay`.",
    example: { detail: "The agent's budget of the day is used up." },
  },
  label_unknown: {
    status: 422,
    retry: false,
    title: 'Label unknown',
    cause:
      'An automation puts or takes a label that the account does not have. Only the run shows it, as its `reason`.',
    mend: 'Make the label on the phone, or set the name of one that `GET /api/v1/sessions/:id/labels` lists.',
    example: { detail: 'The account has no label of this name.' },
  },
  endpoint_unusable: {
    status: 409,
    retry: true,
    title: 'Endpoint unusable',
    cause:
      'An automation calls an endpoint that is paused, disabled or deleted, or serves another tenant. Only the run shows it, as its `reason`.',
    mend: 'Resume the endpoint, or set the id of one that `GET /api/v1/webhooks/endpoints` lists.',
    example: { detail: 'The endpoint whe_019a8f2f-0c00-7096-9f51-8dae2f405172 takes no calls now.' },
  },
  calls_full: {
    status: 503,
    // The workflow begins it again; an attempt of the activity would be one less for the call.
    retry: false,
    title: 'No place for the call',
    cause: 'A process has as many calls of automations under way as it may, or as many of the tenant.',
    mend: 'Nothing: the run waits for a place by itself. Where that takes long, see whether the endpoints answer quickly.',
    example: { detail: 'As many calls are under way here as may be.' },
  },
  webhook_failed: {
    status: 502,
    retry: true,
    title: 'Webhook failed',
    cause: 'The endpoint that an automation calls cannot be reached, or answers that it cannot do it now.',
    mend: 'Look at what receives the calls; the engine asks again by itself, for some minutes.',
    example: { detail: 'The endpoint has not taken the call: timeout.' },
  },
  webhook_refused: {
    status: 422,
    retry: false,
    title: 'Webhook refused',
    cause: 'The endpoint that an automation calls answers 4xx, or leads elsewhere, so a repeat would not help.',
    mend: 'Correct what receives the calls, then retry the run.',
    example: { detail: 'The endpoint has refused the call: http_400.' },
  },
  answer_unfit: {
    status: 422,
    retry: false,
    title: 'Answer unfit',
    cause: 'What the endpoint answers is larger than 16 KiB, is no JSON, or lacks what the automation reads of it.',
    mend: 'Answer with a JSON object of the form that the automation documents.',
    example: { detail: 'The answer does not have the form "ticket".' },
  },
} as const satisfies Record<string, ErrorEntry>;
