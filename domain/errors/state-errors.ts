import type { ErrorEntry } from './entry.ts';

/** The object is not in the state that the request needs. */
export const STATE_ERRORS = {
  already_registered: {
    status: 409,
    retry: false,
    title: 'Already registered',
    cause: 'The agency already has a dashboard, perhaps from an earlier run of the same command.',
    mend:
      'Change the dashboard with `PATCH /v1/internal/dashboard/config`, get a new key with `rotateKey: true`, or ' +
      'register another agencyId.',
    example: {
      detail:
        'The agency already has a dashboard: change it with PATCH /v1/internal/dashboard/config, or send rotateKey: true for a new key.',
    },
  },
  no_previous_key: {
    status: 409,
    retry: false,
    title: 'No previous key',
    cause: 'The engine runs with one encryption key, so there is nothing to re-encrypt.',
    mend: 'Start the engine with the old key as `ENGINE_ENCRYPTION_KEY_PREVIOUS`, in addition to the new one.',
    example: { detail: 'Start the engine with the former key as ENGINE_ENCRYPTION_KEY_PREVIOUS first.' },
  },
  endpoint_shared: {
    status: 409,
    retry: false,
    title: 'Endpoint shared',
    cause: 'A link that changes things may lead only to an endpoint that its tenant has alone.',
    mend: 'Send `readOnly: true`, or create an endpoint with `tenantIds` that names only this tenant.',
    example: {
      detail:
        "Its holder could pause other tenants' events and see their secret. Send readOnly: true, or give the " +
        'tenant its own endpoint with tenantIds.',
    },
  },
  name_taken: {
    status: 409,
    retry: false,
    title: 'Name taken',
    cause: 'The name of the session is in use, reserved as a word in a path of the API, or taken at the backend.',
    mend: 'Choose another name, or omit `name`.',
    example: {
      detail:
        'Choose another session name, or omit it. If it is a session that the messaging backend already has, the operator can take it over with `"adopt": true` and the master key.',
    },
  },
  session_not_ready: {
    status: 409,
    retry: true,
    retryAfter: true,
    title: 'Session not ready',
    cause:
      'The session is not in the status that the request needs. A QR code exists only until it is scanned, ' +
      'account data only once the session works. Only a connected account can be logged out.',
    mend:
      'Read the status of the session. Retry the request once the status is the one that `detail` asks for. A ' +
      'connected session needs no QR code.',
    example: { detail: 'No account is connected yet: scan the QR code of the session.' },
  },
  idempotency_in_progress: {
    status: 409,
    retry: true,
    retryAfter: true,
    title: 'Request in progress',
    cause: 'An identical request with the same `Idempotency-Key` is still in progress.',
    mend: 'Retry it after the number of seconds in `Retry-After`; it then gets the response of the first one.',
    example: { detail: 'Retry the request; it gets its response once the first one is done.' },
  },
  automation_off: {
    status: 409,
    retry: false,
    title: 'Automation not run',
    cause: 'The automation is switched off, or it has already run for this conversation as often as it may in one day.',
    mend: 'Switch it on with `PUT /api/v1/automations/:automation`, or try again tomorrow.',
    example: {
      detail: 'It is switched off, or it has already run as often as it may in one day for this conversation.',
    },
  },
  message_on_its_way: {
    status: 409,
    retry: false,
    title: 'Message being sent',
    cause: 'The message is being sent, or its delivery has begun, so a change could come too late.',
    mend: 'Read its status to learn the outcome. If it ends without being sent, you can send it again.',
    example: {
      detail: 'It is sending. Its status shows the outcome; if it ends without being sent, it can be sent again.',
    },
  },
  message_ended: {
    status: 409,
    retry: false,
    title: 'Message already ended',
    cause: 'The message was already sent, failed, was cancelled, or is uncertain, so no part of it waits.',
    mend: 'Send another message, or resend this one if it was not sent. An uncertain message waits for `resolve`.',
    example: { detail: 'It is delivered. Send another message.' },
  },
  message_not_sent: {
    status: 409,
    retry: false,
    title: 'Message not sent',
    cause:
      'A message can be edited, deleted for everyone or reacted to only if the network has it, and the network ' +
      'does not have this message.',
    mend: 'Read its status. While it waits, change or cancel it.',
    example: { detail: 'It has not been sent. While it waits, change it with PATCH /api/v1/messages/{messageId}.' },
  },
  message_not_own: {
    status: 409,
    retry: false,
    title: 'Message of someone else',
    cause: 'Only messages that the account itself has sent can be edited or deleted for everyone.',
    mend: 'Use a message with `fromMe` true. You can react to any message.',
    example: { detail: 'Someone else wrote it: only messages that the account has sent can be edited.' },
  },
  message_not_editable: {
    status: 409,
    retry: false,
    title: 'Message not editable',
    cause: 'Only texts can be edited: not files, not buttons, and nothing that was forwarded.',
    mend: 'Delete the message for everyone and send another one.',
    example: { detail: 'Only a text can be edited. Delete it for everyone and send another.' },
  },
  message_revoked: {
    status: 409,
    retry: false,
    title: 'Message deleted',
    cause: 'The message was deleted for everyone, here or on the phone.',
    mend: 'No action on it is possible any more. Send another message.',
    example: { detail: 'It was deleted for everyone, so no action on it is possible.' },
  },
  message_too_old: {
    status: 409,
    retry: false,
    title: 'Message too old',
    cause:
      'The network allows editing a text within 15 minutes after it was sent, and deleting a message for everyone ' +
      'within 60 hours.',
    mend: 'Send another message that corrects it.',
    example: { detail: 'It was sent too long ago: the network allows it to be edited within 15 minutes.' },
  },
  message_not_ended: {
    status: 409,
    retry: false,
    title: 'Message not ended',
    cause: 'Only a message that has ended can be sent again, and this one still waits or is being sent.',
    mend: 'Wait until it ends, or cancel it and send another.',
    example: { detail: 'It is queued. Wait until it ends, or cancel it and send another.' },
  },
  message_not_uncertain: {
    status: 409,
    retry: false,
    title: 'Outcome already known',
    cause: 'Only an uncertain message can be resolved; the network or someone else has already settled this one.',
    mend: 'Read its status. There is nothing left to do.',
    example: { detail: 'It is delivered; only an uncertain message can be resolved.' },
  },
  message_resent: {
    status: 409,
    retry: false,
    title: 'Message already resent',
    cause: 'The message was already sent again, and a second copy requires `force`.',
    mend: 'Read the status of the copy, or repeat the request with `"force": true`.',
    example: {
      detail: 'It was already sent again, as msg_019a8f3e-9d20-7c01-8a2b-3c5d7e9f1a24. Another copy requires force.',
    },
  },
  message_was_sent: {
    status: 409,
    retry: false,
    title: 'Message was sent',
    cause: 'The network has the message, so sending it again would reach the contact twice.',
    mend: 'Leave it, or repeat the request with `"force": true` if you want a second copy.',
    example: { detail: 'It is read. With force the contact gets it twice.' },
  },
  contact_not_merged: {
    status: 409,
    retry: false,
    title: 'Contact not merged',
    cause: 'The contact was never merged with another one, or the merge was already undone.',
    mend: 'There is nothing to undo. `contact.merged` names the contacts of each merge.',
    example: { detail: 'No merge of this contact can be undone.' },
  },
  contact_merged_on: {
    status: 409,
    retry: false,
    title: 'Contact merged again since',
    cause: 'The contact that this one was merged into has itself been merged into another one since.',
    mend: 'Undo that later merge first, then repeat the request.',
    example: {
      detail: 'It has since been merged into con_019a8f3d-1b1f-7e74-9d3f-6b8c0d2e4f50: undo that merge first.',
    },
  },
  tenant_limit: {
    status: 409,
    retry: false,
    title: 'Too many tenants',
    cause: 'The request would create another tenant, and the agency already has as many as it may.',
    mend: 'Use an existing tenant, or ask the operator of the engine for more.',
    example: { detail: 'The agency has reached its limit of tenants: ask the operator for more.' },
  },
  endpoint_limit: {
    status: 409,
    retry: false,
    title: 'Webhook endpoint limit reached',
    cause:
      'The agency has 100 webhook endpoints, or has created and deleted 500 today. A session may have 10 of its ' +
      'own, and 200 deleted ones.',
    mend: 'Change or delete an endpoint that is not needed.',
    example: { detail: 'An agency can have 100 endpoints: delete one that is not needed.' },
  },
  endpoint_managed: {
    status: 409,
    retry: false,
    title: 'Webhook endpoint is managed by a setting',
    cause: 'The endpoint belongs to the dashboard or to the settings of a tenant, which decide this.',
    mend: "Change the dashboard's configuration or the tenant's settings, or create another endpoint.",
    example: { detail: "This is the dashboard's own endpoint: pause it, or change its URL." },
  },
  delivery_in_flight: {
    status: 409,
    retry: true,
    title: 'Delivery attempt in progress',
    cause: 'An attempt of this delivery is in progress, so it is not yet known whether it arrives.',
    mend: 'Read the delivery again after the timeout of the endpoint, which is at most 30 seconds.',
    example: { detail: 'An attempt is in progress. Check again when it has ended.' },
  },
  delivery_ended: {
    status: 409,
    retry: false,
    title: 'Delivery already ended',
    cause: 'The delivery has arrived, has used up its attempts, or was cancelled.',
    mend: 'There is nothing left to cancel. Resend it if you want it to go out again.',
    example: { detail: 'The delivery is delivered: there is nothing left to cancel.' },
  },
  event_expired: {
    status: 410,
    retry: false,
    title: 'Event expired',
    cause: 'Events are kept for 30 days; the body of this one has been deleted.',
    mend: 'Read what happened in the conversations and messages themselves.',
    example: { detail: 'The body of the event is no longer kept, so the event cannot be sent again.' },
  },
  cursor_expired: {
    status: 410,
    retry: false,
    title: 'Cursor expired',
    cause: 'Events after this cursor were deleted, because the reader was away for more than 30 days.',
    mend: 'Begin again with `after=start`, and read in the inbox what happened before the events that are left.',
    example: {
      detail:
        'Events after this cursor were deleted when they were 30 days old. Begin again with after=start, which returns all events that are kept, and read in the inbox what happened before them.',
    },
  },
  cursor_invalid: {
    status: 410,
    retry: false,
    title: 'Cursor invalid',
    cause: 'The database was restored from a time before this cursor was given.',
    mend: 'Begin again with `after=start`, and skip the event ids that you have already processed.',
    example: {
      detail:
        'The database was restored from an earlier time. Begin again with after=start; recognize by their event ids the events that you already have.',
    },
  },
} as const satisfies Record<string, ErrorEntry>;
