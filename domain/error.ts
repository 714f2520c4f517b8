import { ACCESS_ERRORS } from './errors/access-errors.ts';
import { DATA_ERRORS } from './errors/data-errors.ts';
import type { FieldError } from './errors/entry.ts';
import { FAULT_ERRORS } from './errors/fault-errors.ts';
import { REQUEST_ERRORS } from './errors/request-errors.ts';
import { AUTOMATION_ERRORS } from './errors/automation-errors.ts';
import { STATE_ERRORS } from './errors/state-errors.ts';

export type { FieldError };

/**
 * The one table of errors: the API's status, the name of the failure in Temporal, whether a retry can help, and what the
 * OpenAPI document and the page of the code say. A dashboard's error and the Temporal UI show the same word.
 */
export const ERRORS = {
  ...REQUEST_ERRORS,
  ...ACCESS_ERRORS,
  ...STATE_ERRORS,
  ...DATA_ERRORS,
  ...AUTOMATION_ERRORS,
  ...FAULT_ERRORS,
} as const;

export type ErrorCode = keyof typeof ERRORS;
export const ERROR_CODES = Object.keys(ERRORS).filter(isErrorCode);

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERRORS, text);
}

/** An error that a caller may see. `detail` says what to do next and never holds a secret or a person's data. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly code: ErrorCode;
  readonly fields: FieldError[];
  readonly headers: Record<string, string>;
  /** The pause after which a retry may help; undefined when the other side has named none. */
  readonly retryAfterMs: number | undefined;
  /** A word that says more than the code, for codes that have such words. */
  readonly reason: string | undefined;

  constructor(
    code: ErrorCode,
    detail: string,
    extra: {
      fields?: FieldError[];
      headers?: Record<string, string>;
      retryAfterMs?: number;
      reason?: string;
      cause?: unknown;
    } = {},
  ) {
    super(detail, extra.cause === undefined ? undefined : { cause: extra.cause });
    this.code = code;
    this.fields = extra.fields ?? [];
    this.headers = extra.headers ?? {};
    this.retryAfterMs = extra.retryAfterMs;
    this.reason = extra.reason;
  }
}

/**
 * Makes the error of a request whose fields are wrong in a way that its schema cannot express; `detail` says what to do
 * next.
 */
export function invalid(
  wrong: FieldError | readonly FieldError[],
  detail = 'Correct the fields named in errors.',
): EngineError {
  return new EngineError('invalid_request', detail, { fields: [wrong].flat() });
}

/** Names the request that makes the object, for a caller that omits or misspells it. */
const MADE_BY: Readonly<Record<string, string>> = {
  agency: ' POST /v1/internal/dashboard/register makes it.',
  tenant: ' POST /api/v1/sessions makes it when it connects an account.',
  session: ' POST /api/v1/sessions connects an account, and GET /api/v1/sessions lists the sessions there are.',
};

/** Makes the error for a missing object and for another tenant's alike, so that nobody learns which it was. */
export function notFound(what: string, pointer?: string): EngineError {
  const fields = pointer === undefined ? [] : [{ pointer, message: `names no ${what}` }];
  const detail = `${what.charAt(0).toUpperCase()}${what.slice(1)} not found.${MADE_BY[what] ?? ''}`;
  return new EngineError('not_found', detail, { fields });
}
