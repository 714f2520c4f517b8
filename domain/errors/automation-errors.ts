import type { ErrorEntry } from './entry.ts';

/** Refusals that concern an automation or one of its runs. */
export const AUTOMATION_ERRORS = {
  no_session: {
    status: 409,
    retry: false,
    title: 'No session',
    cause: 'The tenant has no session, so nothing can be sent for it.',
    mend: 'Connect an account first, with `POST /api/v1/sessions`.',
    example: { detail: 'Connect an account of the tenant first.' },
  },
  automations_stopped: {
    status: 409,
    retry: true,
    title: 'Automations stopped',
    cause: 'The operator has stopped the automations of the agency, or of all agencies.',
    mend: 'Wait until the operator restarts them.',
    example: { detail: 'The operator has stopped automations: try again when they are restarted.' },
  },
  workflow_limit: {
    status: 409,
    retry: false,
    title: 'Workflow limit reached',
    cause: 'The agency has 500 workflows, or its definitions would have more than 64 MiB in all.',
    mend: 'Delete a workflow that is not needed, or shorten a definition.',
    example: {
      detail:
        'An agency can have 500 workflows with definitions of 64 MiB in all: delete a workflow that is not needed.',
    },
  },
  too_many_runs: {
    status: 429,
    retry: true,
    retryAfter: true,
    title: 'Too many runs',
    cause: 'The agency has reached its limit of runs at a time, or of runs begun within a minute; nothing was kept.',
    mend: 'Post the same event with the same key after the seconds in `Retry-After`.',
    example: { detail: 'The agency has reached its limit of runs: post the same event again in 60 s.' },
  },
  execution_running: {
    status: 409,
    retry: true,
    title: 'Execution running',
    cause: 'The run of the automation has not ended, so it cannot be repeated from its start.',
    mend: 'Wait for its end, or cancel it with `POST /api/v1/automation-executions/:id/cancel`.',
    example: { detail: 'The run is still in progress: cancel it first, or wait for its end.' },
  },
  execution_ended: {
    status: 409,
    retry: false,
    title: 'Execution ended',
    cause: 'The run of the automation has ended, so it can no longer be cancelled.',
    mend: 'Read the run to see what it has done.',
    example: { detail: 'The run has ended: its status is completed.' },
  },
  budget_spent: {
    status: 429,
    retry: false,
    title: 'Budget spent',
    cause:
      "An automation asks the agent's model, and the tokens of the day are used up. Only the run shows this, as its `reason`.",
    mend: "Wait for the next day (UTC), or raise the persona's `maxTokensPerDay` or `maxTokensPerContactPerDay`.",
    example: { detail: "The agent's token budget for the day is used up." },
  },
  label_unknown: {
    status: 422,
    retry: false,
    title: 'Label unknown',
    cause:
      'An automation adds or removes a label that the account does not have. Only the run shows this, as its `reason`.',
    mend: 'Create the label on the phone, or use the name of one that `GET /api/v1/sessions/:id/labels` lists.',
    example: { detail: 'The account has no label with this name.' },
  },
  endpoint_unusable: {
    status: 409,
    retry: true,
    title: 'Endpoint unusable',
    cause:
      'An automation calls an endpoint that is paused, disabled or deleted, or serves another tenant. Only the run shows this, as its `reason`.',
    mend: 'Resume the endpoint, or use the id of one that `GET /api/v1/webhooks/endpoints` lists.',
    example: { detail: 'The endpoint whe_019a8f2f-0c00-7096-9f51-8dae2f405172 accepts no calls now.' },
  },
  calls_full: {
    status: 503,
    // The workflow begins it again; an attempt of the activity would be one less for the call.
    retry: false,
    title: 'Too many calls',
    cause: 'A process has reached its limit of automation calls in progress, or its limit for the tenant.',
    mend: 'Nothing: the run waits by itself until a call is possible. If that takes long, check whether the endpoints respond quickly.',
    example: { detail: 'The limit of calls in progress in this process is reached.' },
  },
  webhook_failed: {
    status: 502,
    retry: true,
    title: 'Webhook failed',
    cause: 'The endpoint that an automation calls cannot be reached, or responds that it cannot accept the call now.',
    mend: 'Check the receiver of the calls; the engine retries by itself for several minutes.',
    example: { detail: 'The endpoint did not accept the call: timeout.' },
  },
  webhook_refused: {
    status: 422,
    retry: false,
    title: 'Webhook refused',
    cause: 'The endpoint that an automation calls returns 4xx, or redirects, so a retry would not help.',
    mend: 'Fix the receiver of the calls, then retry the run.',
    example: { detail: 'The endpoint refused the call: http_400.' },
  },
  answer_unfit: {
    status: 422,
    retry: false,
    title: 'Answer unfit',
    cause: "The endpoint's response is larger than 16 KiB, is not JSON, or lacks what the automation reads from it.",
    mend: 'Respond with a JSON object of the form that the automation documents.',
    example: { detail: 'The answer does not have the form "ticket".' },
  },
  http_failed: {
    status: 502,
    retry: true,
    title: 'HTTP request failed',
    cause: 'The server that a workflow calls cannot be reached, or responds that it cannot take the request now.',
    mend: 'Check the server; the engine retries by itself for two minutes.',
    example: { detail: 'The request failed: timeout.' },
  },
  http_refused: {
    status: 422,
    retry: false,
    title: 'HTTP request refused',
    cause: 'A workflow calls a private address, a public one without TLS, or a server whose response is too large.',
    mend: 'Use an https address that is public, and a response of at most 64 KiB.',
    example: { detail: 'The request failed: blocked_address.' },
  },
  secret_missing: {
    status: 422,
    retry: false,
    title: 'Secret missing',
    cause:
      'A workflow uses a secret that its agency has not set for the host that it calls. Only the run shows this, as its `reason`.',
    mend: 'Set it with `PUT /api/v1/workflow-secrets/:name`, then retry the run.',
    example: { detail: 'The agency has no secret orderApi for this host.' },
  },
} as const satisfies Record<string, ErrorEntry>;
