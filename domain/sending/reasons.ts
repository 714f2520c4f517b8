/** The reasons why a message ended without being sent. History, API and Temporal use these same words. */
export const END_REASONS = [
  'expired',
  'taken_over',
  'no_longer_so',
  'ai_paused',
  'opted_out',
  'automations_stopped',
  'not_on_network',
  'restricted',
  'recipient_refused',
  'backend_refused',
  'network_error',
  'outcome_unknown',
  'cancelled_by_request',
  'text_failed',
  'media_unavailable',
  'media_too_large',
  'media_type_refused',
  'media_storage_full',
  'resolved_by_operator',
  'session_deleted',
  'imported',
] as const;
export type EndReason = (typeof END_REASONS)[number];

/** The meaning of each reason, for answers and for the document. */
export const END_REASON_TEXTS: Readonly<Record<EndReason, string>> = {
  expired: 'It waited until its `expiresAt` and was not sent after that.',
  taken_over: 'The AI agent or an automation wrote it, and a person then took the conversation over or acted in it.',
  no_longer_so: 'An automation wrote it because nobody had answered or read something, and that is no longer so.',
  ai_paused: 'The AI agent wrote it, and was then switched off.',
  opted_out: 'The contact wants no more messages, and the request did not mark this one as transactional.',
  automations_stopped: 'An automation wrote it, and the operator has stopped automations.',
  not_on_network: 'The number has no account on the network.',
  restricted: 'The network does not allow the account to write to people who have not written to it.',
  recipient_refused: 'The network takes no first message for this contact, and the account is not restricted.',
  backend_refused: 'The messaging backend refused to send it.',
  network_error: 'The network reported an error for it.',
  outcome_unknown: 'Nothing showed whether it went out: check the chat and resolve it.',
  cancelled_by_request: 'It was cancelled before it went out.',
  text_failed: 'The text that it belongs to was not sent.',
  media_unavailable: 'Its file could not be fetched.',
  media_too_large: 'Its file is larger than what can be sent.',
  media_storage_full: 'The tenant or its agency has reached its limit of stored bytes.',
  media_type_refused: 'Its file is of a type that is not sent.',
  resolved_by_operator: 'It was uncertain, and someone resolved it.',
  session_deleted: 'Its session was deleted while it waited.',
  imported: 'It waited in the engine that its tenant was imported from. Only that engine sends it.',
};

/** Other reasons in a history: a wait, an action, or the source of a known state. */
export const HISTORY_REASON_TEXTS = {
  pace: 'It waits for the pace of its session.',
  first_contacts: 'It waits for the next day: the session has opened as many conversations today as it may.',
  quiet_hours: "It waits for the end of the tenant's quiet hours.",
  session_not_working: 'It waits until its session works again.',
  suspended: 'It waits until the dashboard is active again.',
  backend_unavailable: 'It waits until the messaging backend responds again.',
  engine_trouble: 'It waits because the engine lacks something that it needs; it is retried automatically.',
  settling:
    'The response to the send was lost. The chat is read to find out whether it arrived before anything is sent ' +
    'again.',
  certainly_not_sent: 'The chat shows that it did not arrive, so it is sent again.',
  claim_too_old: 'The process that was about to send it was delayed, so it went back to its queue.',
  changed_by_request: 'A request changed its text or its times.',
  no_server_ack: 'The backend accepted it, and the network has not confirmed it yet.',
  mentions_left_out: 'It went out without notifying the people that it mentions.',
  implied_by_a_later_ack: 'The network reported a later level, so this one was also passed.',
  shown_by_network: 'The network showed that it was sent.',
} as const;

/** The causes that a detail may name by a machine word. */
const DETAIL_TEXTS: Readonly<Record<string, string>> = {
  error_answer: 'The backend returned an error during the send.',
  broken_connection: 'The connection to the backend broke during the send.',
  timeout: 'The backend did not respond in time.',
  session_logged_out: 'Its session was logged out or deleted, so no chat that would show it can be read any more.',
};

const REASON_TEXTS: Readonly<Record<string, string>> = { ...HISTORY_REASON_TEXTS, ...END_REASON_TEXTS };

/** Returns the sentence for a reason and its detail; null for a reason that only another release knows. */
export function reasonText(reason: string, detail: string | null = null): string | null {
  const text = Object.hasOwn(REASON_TEXTS, reason) ? REASON_TEXTS[reason] : undefined;
  if (detail === null) return text ?? null;
  const more = Object.hasOwn(DETAIL_TEXTS, detail) ? DETAIL_TEXTS[detail] : undefined;
  if (more !== undefined) return text === undefined ? more : `${text} ${more}`;
  // A bare word is a code of the backend or the network, which helps whoever looks it up.
  const isCode = /^[\w.:-]+$/.test(detail);
  return isCode && text !== undefined ? `${text} (${detail})` : detail;
}
