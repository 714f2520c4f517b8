import { z } from 'zod';
import { cut } from '../../domain/cut.ts';
import { ERROR_CODES, ERRORS } from '../../domain/error.ts';
import type { EngineError, ErrorCode, FieldError } from '../../domain/error.ts';
import type { ErrorEntry } from '../../domain/errors/entry.ts';

/** A problem of RFC 9457, with the engine's own error code. */
export const Problem = z
  .object({
    type: z
      .string()
      .meta({ description: 'The address of a page that explains the code: cause, example and what to do.' }),
    title: z.string().meta({ description: 'The name of the error in English. It may be reworded: branch on `code`.' }),
    status: z.int().meta({ description: 'The HTTP status of the response.' }),
    code: z.enum(ERROR_CODES).meta({
      description:
        'The machine word for the error. Its meaning never changes; `x-error-codes` of an operation lists the ' +
        'codes of that operation.',
    }),
    detail: z.string().meta({ description: 'The fault of this request and the next step, as readable text.' }),
    errors: z
      .array(
        z.object({
          pointer: z
            .string()
            .meta({ description: 'JSON pointer into the body, or query/<name>, path/<name>, header/<name>.' }),
          message: z.string().meta({ description: 'The fault of the field, as the end of a sentence about it.' }),
        }),
      )
      .optional()
      .meta({ description: 'All fields that are wrong. Missing if no field is to blame.' }),
    reason: z
      .string()
      .optional()
      .meta({
        description:
          'More detail than the code, as a machine word: for `file_gone`, why the file is gone, as in `media.error` ' +
          'without `media_`. Missing for other codes.',
      }),
    requestId: z.string().meta({
      description:
        'The id of this HTTP request, as in the header X-Request-Id. Quote it to the operator, who can find it in ' +
        'the log.',
    }),
  })
  .meta({ id: 'Problem', description: 'An error, as application/problem+json (RFC 9457).' });
export type Problem = z.infer<typeof Problem>;

/** A refusal must not grow with the request that it refuses. */
const MAX_ERRORS = 50;
const MAX_DETAIL = 2_000;
const MAX_POINTER = 200;
const MAX_MESSAGE = 400;

export function problemOf(error: EngineError, publicUrl: string, requestId: string): Problem {
  const { status, title } = ERRORS[error.code];
  return {
    type: `${publicUrl}/docs/errors/${error.code}`,
    title,
    status,
    code: error.code,
    detail: cut(error.message, MAX_DETAIL),
    ...(error.fields.length === 0 ? {} : { errors: shownFields(error.fields) }),
    ...(error.reason === undefined ? {} : { reason: error.reason }),
    requestId,
  };
}

function shownFields(fields: readonly FieldError[]): FieldError[] {
  const isCut = fields.length > MAX_ERRORS;
  const shown = fields
    .slice(0, isCut ? MAX_ERRORS - 1 : MAX_ERRORS)
    .map(({ pointer, message }) => ({ pointer: cut(pointer, MAX_POINTER), message: cut(message, MAX_MESSAGE) }));
  const rest = fields.length - shown.length;
  return isCut ? [...shown, { pointer: '', message: `has ${rest} more errors` }] : shown;
}

/** An answer with the code, as the document and the page of the code show it. */
export function exampleProblem(code: ErrorCode, publicUrl: string): Problem {
  const { status, title, example }: ErrorEntry = ERRORS[code];
  const { detail, errors, reason } = example;
  return {
    type: `${publicUrl}/docs/errors/${code}`,
    title,
    status,
    code,
    detail,
    ...(errors === undefined ? {} : { errors: [...errors] }),
    ...(reason === undefined ? {} : { reason }),
    requestId: 'req_3f0c1f6e-5f0a-4d3c-9a51-0f3b8f0f7c11',
  };
}
