import { z } from 'zod';
import { ERRORS } from '../../domain/error.ts';
import type { EngineError } from '../../domain/error.ts';

/** A problem of RFC 9457, with the engine's own error code. */
export const Problem = z
  .object({
    type: z.string().meta({ description: 'A page that explains the code.' }),
    title: z.string(),
    status: z.int(),
    code: z.string().meta({ description: 'Stable; branch on this.' }),
    detail: z.string(),
    errors: z
      .array(
        z.object({
          pointer: z
            .string()
            .meta({ description: 'JSON pointer into the body, or query/<name>, path/<name>, header/<name>.' }),
          message: z.string(),
        }),
      )
      .optional(),
    requestId: z.string(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof Problem>;

export function problemOf(error: EngineError, publicUrl: string, requestId: string): Problem {
  const { status, title } = ERRORS[error.code];
  return {
    type: `${publicUrl}/docs/errors/${error.code}`,
    title,
    status,
    code: error.code,
    detail: error.message,
    ...(error.fields.length === 0 ? {} : { errors: error.fields }),
    requestId,
  };
}
