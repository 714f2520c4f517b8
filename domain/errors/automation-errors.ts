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
} as const satisfies Record<string, ErrorEntry>;
