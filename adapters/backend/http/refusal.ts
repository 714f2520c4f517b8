import { EngineError, invalid } from '../../../domain/error.ts';
import { errorWordsOf } from './answer.ts';
import type { HttpAnswer, HttpFailure } from './exchange.ts';

/** With these statuses a gateway says that it cannot reach the backend, which counts as no connection. */
const GATEWAY = new Set([429, 502, 503, 504]);

/** Makes the error of a call without an answer; `doing` names the call ("list chats"). */
export function unreachable(failure: HttpFailure, doing: string): EngineError {
  return new EngineError('backend_unavailable', `The messaging backend could not ${doing}: ${failure.cause}.`);
}

export function unreadable(doing: string): EngineError {
  return new EngineError('backend_error', `The messaging backend's answer to "${doing}" could not be read.`);
}

export function refused(answer: HttpAnswer, doing: string): EngineError {
  const { text, wrongStatus } = errorWordsOf(answer);
  if (GATEWAY.has(answer.status)) {
    return new EngineError('backend_unavailable', `The messaging backend could not ${doing}: http_${answer.status}.`);
  }
  if (isUnsupported(answer, text)) {
    return new EngineError(
      'not_supported_by_engine',
      `The messaging backend's engine, version or edition cannot ${doing}. Do it on the phone.`,
    );
  }
  // For a session that is not running some reads answer 404 and ask to start it first
  // (docs/extend/backend.md#errors, 4).
  if ((answer.status === 422 && wrongStatus) || (answer.status === 404 && /start it first/i.test(text))) {
    return new EngineError('session_not_ready', `The session is not in the state that it needs to ${doing}.`);
  }
  if (isMissing(answer, text)) {
    return new EngineError('not_found', `The messaging backend found nothing to ${doing}.`);
  }
  return new EngineError('backend_error', `The messaging backend refused to ${doing}: http_${answer.status}.`);
}

/**
 * Makes the error of a session that the backend will never create, because it refuses the session's name or settings.
 */
export function sessionRefused(answer: HttpAnswer): EngineError {
  const isName = /(^|\s)name must|session name/i.test(errorWordsOf(answer).text);
  const [pointer, what] = isName ? ['/name', 'name'] : ['/config', 'settings'];
  const wrong = { pointer, message: 'is not taken by the messaging backend' };
  return invalid(wrong, `The messaging backend does not take the session's ${what}.`);
}

/** Tells a feature that the platform, or the edition that runs, does not have. */
function isUnsupported({ status }: HttpAnswer, text: string): boolean {
  return status === 501 || (status === 422 && /only in plus/i.test(text));
}

function isMissing(answer: HttpAnswer, text: string): boolean {
  if (answer.status === 422) return /does not exist/i.test(text);
  // "Cannot GET ..." is a route that this version lacks, not a thing that is gone.
  return answer.status === 404 && !/^cannot (get|post|put|delete)\b/i.test(text);
}
