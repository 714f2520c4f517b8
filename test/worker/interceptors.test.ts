import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { EngineError, ERRORS, notFound } from '../../domain/error.ts';
import { activityInterceptors } from '../../worker/interceptors.ts';

const unknown: unknown[] = [];
const environment = new MockActivityEnvironment(
  {},
  {
    interceptors: [activityInterceptors((error) => unknown.push(error))],
    logger: new DefaultLogger('ERROR'),
  },
);

/** Returns Temporal's failure for this error of an activity. */
async function failureOf(thrown: unknown): Promise<unknown> {
  unknown.length = 0;
  return environment
    .run(() => Promise.reject(thrown))
    .then(
      () => undefined,
      (error: unknown) => error,
    );
}

describe('an activity that throws', () => {
  it('an error of ours fails by its code, with its words and no retry that cannot help', async () => {
    expect(await failureOf(notFound('endpoint'))).toMatchObject({
      name: 'ApplicationFailure',
      type: 'not_found',
      message: 'Endpoint not found.',
      nonRetryable: true,
    });
    expect(unknown).toEqual([]);
  });

  it.each(['ECONNREFUSED', '57P01', '08006'])('%s fails as what is away, not as a fault of ours', async (code) => {
    const failure = await failureOf(Object.assign(new Error('connect 10.0.0.3'), { code }));
    expect(failure).toMatchObject({ type: 'unavailable', nonRetryable: false });
    expect(String(failure)).not.toContain('10.0.0.3');
  });

  it.each([
    'not_found',
    'message_ended',
    'model_failed',
    'model_unavailable',
    'media_unavailable',
    'backend_error',
  ] as const)('%s is tried again just where its row says so', async (code) => {
    const failure = await failureOf(new EngineError(code, 'detail'));
    expect(failure).toMatchObject({ type: code, nonRetryable: !ERRORS[code].retry });
  });

  it('an error that says when to come back is tried again then', async () => {
    const busy = new EngineError('model_unavailable', 'status 429', { retryAfterMs: 7_000 });
    expect(await failureOf(busy)).toMatchObject({ nextRetryDelay: 7_000, nonRetryable: false });
    expect(await failureOf(new EngineError('model_unavailable', 'status 429'))).toMatchObject({
      nextRetryDelay: undefined,
    });
  });

  it('an error of somebody else’s shows its class, never its words, and is told to the log', async () => {
    const error = new RangeError('duplicate key (phone)=(+4915112345678)');
    expect(await failureOf(error)).toMatchObject({
      type: 'internal',
      message: "An unexpected RangeError; the worker's log has it.",
      nonRetryable: false,
    });
    expect(unknown).toEqual([error]);
  });

  it.each([ApplicationFailure.retryable('as it is', 'of_temporal'), new CancelledFailure('stopped')])(
    'what is Temporal’s own (%p) is left as it is',
    async (failure) => {
      expect(await failureOf(failure)).toBe(failure);
      expect(unknown).toEqual([]);
    },
  );
});
