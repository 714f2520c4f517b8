import type { EndReason } from '../../../domain/sending/reasons.ts';
import type { LostCause } from '../../../domain/sending/message-state.ts';
import { errorWordsOf, isSuccess, jsonOf } from '../http/answer.ts';
import type { ErrorWords } from '../http/answer.ts';
import type { FailureCause, HttpAnswer, HttpFailure, HttpResult } from '../http/exchange.ts';
import { sentMessageOf } from './sent-message.ts';

/**
 * The outcome of a send. Only after `not_sent` and `restricted` may the message be sent again without settling first.
 */
export type SendOutcome = SendTaken | SendRefusal | SendRestriction | SendUncertainty;

export interface SendTaken {
  outcome: 'accepted';
  networkId: string;
  chatId: string;
}

/**
 * The message is certainly not on the network. It may be sent again once the session is WORKING (`when_working`), after
 * a while (`later`) or never (`never`).
 */
export type SendRefusal = FinalRefusal | PassingRefusal;

interface FinalRefusal {
  outcome: 'not_sent';
  retry: 'never';
  /** `recipient_refused` concerns this recipient alone, and no other message of the account. */
  reason: Extract<EndReason, 'backend_refused' | 'media_too_large' | 'recipient_refused'>;
  detail: SendDetail;
}

interface PassingRefusal {
  outcome: 'not_sent';
  retry: 'when_working' | 'later';
  reason: 'session_not_ready' | 'backend_unavailable';
  detail: SendDetail;
}

/**
 * The network refuses this account's first messages to strangers for now: stop those, do not retry
 * (`docs/extend/backend.md#sending`, 10).
 */
export interface SendRestriction {
  outcome: 'restricted';
  reason: Extract<EndReason, 'restricted'>;
  detail: 'reachout_timelock' | 'message_capped' | 'account_restricted';
  /** Null when nobody says how long the restriction lasts. */
  until: Date | null;
}

/** The message may have gone out: settle it before it is sent again (`docs/extend/backend.md#sending`, 5). */
export interface SendUncertainty {
  outcome: 'unknown';
  cause: LostCause;
  detail: SendDetail;
}

/** The detail of an outcome is a code, because the backend's own words echo the message and its stack. */
export type SendDetail =
  | FailureCause
  | `http_${number}`
  | 'invalid_request'
  | 'session_not_working'
  | 'session_unknown'
  | 'not_implemented'
  | 'file_too_large'
  | 'no_hidden_id'
  | 'account_not_restricted'
  | 'rate_limited'
  | 'engine_error'
  | 'unreadable_answer';

interface Row {
  status: number | ((status: number) => boolean);
  words?: (words: ErrorWords) => boolean;
  outcome: (status: number) => SendOutcome;
}

/**
 * The outcome of each answer that is no success; the first row that matches counts (`docs/extend/backend.md#errors`).
 */
const ROWS: readonly Row[] = [
  { status: 422, words: (words) => words.wrongStatus, outcome: () => whenWorking('session_not_working') },
  { status: 422, words: says(/status is not as expected/i), outcome: () => whenWorking('session_not_working') },
  { status: 422, words: says(/does not exist/i), outcome: () => whenWorking('session_unknown') },
  { status: 404, words: says(/start it first/i), outcome: () => whenWorking('session_not_working') },
  { status: 404, words: says(/session not found/i), outcome: () => whenWorking('session_unknown') },
  // Some versions offer some kinds of messages only in their paid edition, so here the kind is not implemented.
  { status: 422, words: says(/only in plus/i), outcome: () => never('backend_refused', 'not_implemented') },
  { status: 429, outcome: () => later('rate_limited') },
  { status: 408, outcome: () => later('http_408') },
  { status: 413, outcome: () => never('media_too_large', 'http_413') },
  { status: isClientError, outcome: (status) => never('backend_refused', `http_${status}`) },
  { status: 501, outcome: () => never('backend_refused', 'not_implemented') },
  { status: 500, words: engineSays(/\b463\b|reach-?out/i), outcome: () => restricted('reachout_timelock') },
  { status: 500, words: engineSays(/\bcapp(ed|ing)\b/i), outcome: () => restricted('message_capped') },
  { status: 500, words: engineSays(/\brestricted\b/i), outcome: () => restricted('account_restricted') },
  // The engine looks for the recipient's hidden id before it sends anything, so nothing was sent.
  { status: 500, words: engineSays(/\bno lid\b/i), outcome: () => never('backend_refused', 'no_hidden_id') },
  { status: 500, words: engineSays(/entity too large/i), outcome: () => never('media_too_large', 'file_too_large') },
  { status: 500, words: engineSays(/rate-?overlimit/i), outcome: () => unknown('error_answer', 'rate_limited') },
  { status: 500, outcome: () => unknown('error_answer', 'engine_error') },
  // A gateway gave up on a backend that may still be sending, so the send is settled as slowly as one whose call timed
  // out.
  { status: 504, outcome: () => unknown('timeout', 'http_504') },
  {
    status: (status) => status === 502 || status === 503,
    outcome: (status) => unknown('broken_connection', `http_${status}`),
  },
  { status: () => true, outcome: (status) => unknown('error_answer', `http_${status}`) },
];

export function classifySend(result: HttpResult, asked: { chatId: string; networkId: string | null }): SendOutcome {
  if (result.kind === 'failure') return ofFailure(result);
  return isSuccess(result) ? ofSuccess(result, asked) : ofErrorAnswer(result);
}

function ofFailure({ written, cause }: HttpFailure): SendOutcome {
  if (!written) return later(cause);
  return unknown(cause === 'timeout' ? 'timeout' : 'broken_connection', cause);
}

function ofErrorAnswer(answer: HttpAnswer): SendOutcome {
  const words = errorWordsOf(answer);
  const row = ROWS.find(
    ({ status, words: fits }) =>
      (typeof status === 'number' ? status === answer.status : status(answer.status)) && (fits?.(words) ?? true),
  );
  return row?.outcome(answer.status) ?? unknown('error_answer', `http_${answer.status}`);
}

/**
 * A success whose id cannot be read was most likely sent. Such a message is settled with the longest patience, because
 * a "not there" read too early would send it twice.
 */
function ofSuccess(answer: HttpAnswer, asked: { chatId: string; networkId: string | null }): SendOutcome {
  const sent = sentMessageOf(jsonOf(answer.body));
  const networkId = sent?.networkId ?? asked.networkId;
  if (networkId === null) return unknown('broken_connection', 'unreadable_answer');
  return { outcome: 'accepted', networkId, chatId: sent?.chatId ?? asked.chatId };
}

function isClientError(status: number): boolean {
  return status >= 400 && status < 500;
}

function says(pattern: RegExp): (words: ErrorWords) => boolean {
  return (words) => pattern.test(words.text);
}

function engineSays(pattern: RegExp): (words: ErrorWords) => boolean {
  return (words) => words.fromEngine && pattern.test(words.text);
}

function never(reason: FinalRefusal['reason'], detail: SendDetail): SendRefusal {
  return { outcome: 'not_sent', retry: 'never', reason, detail };
}

function later(detail: SendDetail): SendRefusal {
  return { outcome: 'not_sent', retry: 'later', reason: 'backend_unavailable', detail };
}

function whenWorking(detail: SendDetail): SendRefusal {
  return { outcome: 'not_sent', retry: 'when_working', reason: 'session_not_ready', detail };
}

function restricted(detail: SendRestriction['detail']): SendRestriction {
  return { outcome: 'restricted', reason: 'restricted', detail, until: null };
}

function unknown(cause: SendUncertainty['cause'], detail: SendDetail): SendUncertainty {
  return { outcome: 'unknown', cause, detail };
}
