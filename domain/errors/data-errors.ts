import type { ErrorEntry } from './entry.ts';

/** The data is gone, or does not exist yet. */
export const DATA_ERRORS = {
  file_gone: {
    status: 410,
    retry: false,
    title: 'File gone',
    cause:
      'The file of a message is not available: too old, too large, deleted by its sender, erased, or no longer on the ' +
      'network. `reason` gives the cause.',
    mend:
      'Show the message without the file, with the reason, which is also in `media.error` of the message. The ' +
      'sender can send it again.',
    example: { detail: 'It is older than its tenant keeps files.', reason: 'expired' },
  },
  export_not_ready: {
    status: 409,
    retry: true,
    retryAfter: true,
    title: 'Export not ready',
    cause: 'The rows and files of the tenant are still being collected.',
    mend: 'Read the export until its `status` is `done`, then download its file.',
    example: { detail: 'The export is still running. Request the file when its status is done.' },
  },
  export_gone: {
    status: 410,
    retry: false,
    title: 'Export gone',
    cause:
      'The file of an export is kept for seven days. It is deleted earlier if a person of the tenant is erased. ' +
      '`reason` says why it is gone.',
    mend: 'Start another export of the tenant.',
    example: { detail: 'It was kept for 7 days.', reason: 'expired' },
  },
  erased: {
    status: 410,
    retry: false,
    title: 'Erased',
    cause: 'The request was already done, and its response was about a person whose data was erased since.',
    mend:
      'There is nothing left to do. To write to the person again, who is then a new contact, send another ' +
      '`Idempotency-Key`.',
    example: {
      detail:
        'This request was already done, and its response was about a person who was erased since. Nothing is done ' +
        'again.',
    },
  },
} as const satisfies Record<string, ErrorEntry>;
