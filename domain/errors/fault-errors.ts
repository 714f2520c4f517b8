import type { ErrorEntry } from './entry.ts';

/** The engine, or something that it needs, fails. */
export const FAULT_ERRORS = {
  internal: {
    status: 500,
    retry: true,
    title: 'Internal error',
    cause: 'A fault of the engine. Its log has the reason under the requestId of the answer.',
    mend: 'Repeat the request, with an `Idempotency-Key` where it sends. Report the requestId to the operator if it happens again.',
    example: { detail: 'Report the requestId to the operator of the engine.' },
  },
  model_failed: {
    status: 502,
    retry: false,
    title: 'Model failed',
    cause: 'The language model has refused the prompt or answered something that cannot be used.',
    mend: "Try another model in the persona's `modelChoice`, or shorten the prompt.",
    example: { detail: 'refused' },
  },
  model_unavailable: {
    status: 503,
    retry: true,
    title: 'Model unavailable',
    cause: 'The provider of the language model does not answer, or limits the rate.',
    mend: 'Wait; the engine asks again by itself where an answer is owed.',
    example: { detail: 'rate_limited' },
  },
  media_unavailable: {
    status: 502,
    retry: true,
    title: 'Media unavailable',
    cause: 'The file of a message could not be fetched from its URL, or its host is not reachable from the engine.',
    mend: 'Check that the URL answers with the file, without a login, from a public address.',
    example: { detail: 'The file could not be fetched: http_404.' },
  },
  backend_error: {
    status: 502,
    retry: true,
    title: 'Messaging backend error',
    cause: 'The messaging backend refused the request or answered something unexpected.',
    mend: 'Repeat the request later. If it stays, the operator finds the reason in the log of the backend.',
    example: { detail: 'The messaging backend refused to read the contacts: http_400.' },
  },
  backend_unavailable: {
    status: 503,
    retry: true,
    title: 'Messaging backend unavailable',
    cause: 'The messaging backend does not answer, or answers that it is overloaded.',
    mend: 'Repeat the request later. Messages that were accepted wait and go out once the backend is back.',
    example: { detail: 'The backend did not answer in time.' },
  },
  unavailable: {
    status: 503,
    retry: true,
    title: 'Service unavailable',
    cause: 'Something that the engine needs is away: the database, Temporal or the media store.',
    mend: 'Repeat the request after a pause, with the same `Idempotency-Key`. `GET /api/v1/status` tells what is away.',
    example: { detail: 'The media store cannot be reached.' },
  },
} as const satisfies Record<string, ErrorEntry>;
