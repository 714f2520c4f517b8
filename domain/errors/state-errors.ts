import type { ErrorEntry } from './entry.ts';

/** The object is not in the state that the request needs. */
export const STATE_ERRORS = {
  already_registered: {
    status: 409,
    retry: false,
    title: 'Already registered',
    cause: 'The agency has a dashboard already, perhaps from an earlier run of the same command.',
    mend: 'Change the dashboard by `PATCH /v1/internal/dashboard/config`, get a new key with `rotateKey: true`, or register another agencyId.',
    example: {
      detail:
        'The agency has a dashboard: change it by PATCH /v1/internal/dashboard/config, or send rotateKey: true for a new key.',
    },
  },
  no_previous_key: {
    status: 409,
    retry: false,
    title: 'No previous key',
    cause: 'The engine runs with one encryption key, so there is nothing to seal anew.',
    mend: 'Start the engine with the former key as `ENGINE_ENCRYPTION_KEY_PREVIOUS`, beside the new one.',
    example: { detail: 'Start the engine with the former key as ENGINE_ENCRYPTION_KEY_PREVIOUS first.' },
  },
  name_taken: {
    status: 409,
    retry: false,
    title: 'Name taken',
    cause:
      'The name of the session is in use, is a word of a path of the API, or belongs to something else at the backend.',
    mend: 'Choose another name, or leave `name` out.',
    example: { detail: 'Choose another session name, or leave it out.' },
  },
  session_not_ready: {
    status: 409,
    retry: true,
    title: 'Session not ready',
    cause:
      'The session is not in the status that the request needs: a QR code exists only while one is to be scanned, account data only once it works, and only a connected account can be logged out.',
    mend: 'Read the status of the session. Repeat the request once the status is the one that `detail` asks for; a connected session needs no QR code.',
    example: { detail: 'No account is connected yet: scan the QR code of the session.' },
  },
  idempotency_in_progress: {
    status: 409,
    retry: true,
    title: 'Request in progress',
    cause: 'An equal request with the same `Idempotency-Key` is still running.',
    mend: 'Repeat it after the seconds in `Retry-After`; it then gets the answer of the first one.',
    example: { detail: 'Repeat the request; it is answered once the first one is done.' },
  },
  message_on_its_way: {
    status: 409,
    retry: false,
    title: 'Message on its way',
    cause: 'The message is being sent, or its delivery has begun, so a change might come too late.',
    mend: 'Read its status to learn what becomes of it. It can be sent again if it ends without being sent.',
    example: {
      detail:
        'It is sending. Its status tells what becomes of it; if it ends without being sent, it can be sent again.',
    },
  },
  message_ended: {
    status: 409,
    retry: false,
    title: 'Message already ended',
    cause: 'The message was sent, failed or was cancelled before, so nothing of it waits.',
    mend: 'Send another message, or send this one again where it was not sent.',
    example: { detail: 'It is delivered. Send another message.' },
  },
  message_not_ended: {
    status: 409,
    retry: false,
    title: 'Message not ended',
    cause: 'Only a message that has ended can be sent again, and this one still waits or is being sent.',
    mend: 'Wait for its end, or cancel it and send another.',
    example: { detail: 'It is queued. Wait for its end, or cancel it and send another.' },
  },
  message_not_uncertain: {
    status: 409,
    retry: false,
    title: 'Outcome already known',
    cause: 'Only an uncertain message is resolved; the network or somebody else has settled this one.',
    mend: 'Read its status. Nothing is left to do.',
    example: { detail: 'It is delivered; only an uncertain message is resolved.' },
  },
  message_resent: {
    status: 409,
    retry: false,
    title: 'Message already resent',
    cause: 'The message was sent again before, and a second copy needs to be meant.',
    mend: 'Read the status of the copy, or repeat the request with `"force": true`.',
    example: {
      detail: 'It was sent again already, as msg_019a8f3e-9d20-7c01-8a2b-3c5d7e9f1a24. Another copy takes force.',
    },
  },
  message_was_sent: {
    status: 409,
    retry: false,
    title: 'Message was sent',
    cause: 'The network has the message, so sending it again would reach the contact twice.',
    mend: 'Leave it, or repeat the request with `"force": true` where a second copy is wanted.',
    example: { detail: 'It is read. With force the contact gets it twice.' },
  },
  contact_not_merged: {
    status: 409,
    retry: false,
    title: 'Contact not merged',
    cause: 'The contact was never merged with another one, or the merge was undone before.',
    mend: 'Nothing is left to undo. `contact.merged` names the contacts of each merge.',
    example: { detail: 'No merge of this contact can be undone.' },
  },
  contact_merged_on: {
    status: 409,
    retry: false,
    title: 'Contact merged on since',
    cause: 'The contact that this one went into has itself gone into another one since.',
    mend: 'Undo that later merge first, then repeat the request.',
    example: {
      detail: 'It went on into con_019a8f3d-1b1f-7e74-9d3f-6b8c0d2e4f50 since: undo that merge first.',
    },
  },
  tenant_limit: {
    status: 409,
    retry: false,
    title: 'Too many tenants',
    cause: 'The request would make another tenant, and the agency has as many as it may.',
    mend: 'Use a tenant that is there, or ask the operator of the engine for more.',
    example: { detail: 'The agency has as many tenants as it may: ask the operator for more.' },
  },
  endpoint_limit: {
    status: 409,
    retry: false,
    title: 'Webhook endpoint limit reached',
    cause: 'The agency has 100 webhook endpoints, or has made and deleted 500 today.',
    mend: 'Change or delete an endpoint that is not needed.',
    example: { detail: 'It may have 100: delete one that is not needed.' },
  },
  endpoint_managed: {
    status: 409,
    retry: false,
    title: 'Webhook endpoint is managed by a setting',
    cause: "The endpoint is the dashboard's own or that of a tenant's settings, which decide this.",
    mend: "Change the dashboard's configuration or the tenant's settings, or create another endpoint.",
    example: { detail: "It is the dashboard's own: pause it, or change its URL." },
  },
  delivery_in_flight: {
    status: 409,
    retry: true,
    title: 'Delivery attempt in progress',
    cause: 'An attempt of this delivery is under way, so it is not known yet whether it arrives.',
    mend: 'Read the delivery again after the timeout of the endpoint, at most 30 seconds.',
    example: { detail: 'An attempt is under way. Look again when it has ended.' },
  },
  delivery_ended: {
    status: 409,
    retry: false,
    title: 'Delivery already ended',
    cause: 'The delivery has arrived, has used up its attempts, or was cancelled.',
    mend: 'Nothing is left to cancel. Resend it where it is to go out again.',
    example: { detail: 'It is delivered: there is nothing left to cancel.' },
  },
  file_gone: {
    status: 410,
    retry: false,
    title: 'File gone',
    cause:
      'The file that somebody has sent is not kept, and neither the messaging backend nor the network gives it again.',
    mend: 'Show the message without it, with the reason in `media.error`. Whoever has sent it can send it again.',
    example: { detail: 'Neither the backend nor the network gives it any more, or not within a day.' },
  },
  event_expired: {
    status: 410,
    retry: false,
    title: 'Event expired',
    cause: 'Events are kept for 30 days; the body of this one has been deleted.',
    mend: 'Read what happened from the conversations and messages themselves.',
    example: { detail: 'Its body is gone, so it cannot be sent again.' },
  },
  cursor_expired: {
    status: 410,
    retry: false,
    title: 'Cursor expired',
    cause: 'Events after this cursor were deleted, because the reader was away for more than 30 days.',
    mend: 'Begin again with `after=start`, and read in the inbox what happened before the events that are left.',
    example: {
      detail:
        'Events after this cursor were deleted when they were 30 days old. Begin again with after=start, which gives all that are kept, and read in the inbox what happened before them.',
    },
  },
  cursor_invalid: {
    status: 410,
    retry: false,
    title: 'Cursor invalid',
    cause: 'The database was restored from a time before this cursor was given.',
    mend: 'Begin again with `after=start`, and skip the event ids that you have had.',
    example: {
      detail:
        'The database was restored from an earlier time. Begin again with after=start; what you have seen, you know by its event id.',
    },
  },
} as const satisfies Record<string, ErrorEntry>;
