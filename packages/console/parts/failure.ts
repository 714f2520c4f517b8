import { EngineError } from '../../typescript/src/index.ts';
import { t } from './words/t.ts';

/** A failure for people: a sentence, and the facts for the operator. */
export interface Failure {
  sentence: string;
  /** Null for what the console itself has to say. */
  code: string | null;
  requestId: string | null;
  errors: readonly { pointer: string; message: string }[];
  retryAfterMs: number | null;
}

const SENTENCES: Readonly<Record<string, string>> = {
  unreachable: t('The engine cannot be reached. Check your connection. This page may be out of date.'),
  timed_out: t('The engine took too long to respond. Try again.'),
  unauthorized: t('You are no longer logged in.'),
};

export const toFailure = (error: unknown): Failure => {
  if (error instanceof EngineError)
    return {
      sentence: SENTENCES[error.code] ?? error.detail,
      code: error.code,
      requestId: error.requestId ?? null,
      errors: error.errors ?? [],
      retryAfterMs: error.retryAfterMs ?? null,
    };
  const sentence =
    error instanceof Error && error.message !== '' ? error.message : t('Something went wrong on this page. Reload it.');
  return { sentence, code: null, requestId: null, errors: [], retryAfterMs: null };
};

/** Returns the error of one field, such as `/text`. */
export const errorAt = (failure: Failure | null | undefined, pointer: string): string | undefined =>
  failure?.errors.find((error) => error.pointer === pointer)?.message;
