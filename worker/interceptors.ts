import { ApplicationFailure } from '@temporalio/activity';
import type {
  ActivityInboundCallsInterceptor,
  ActivityInterceptors,
  Next,
  ActivityExecuteInput,
} from '@temporalio/worker';
import { EngineError, ERRORS } from '../domain/error.ts';

/** Turns our errors into Temporal failures of the same name. Other errors show their class, never their words. */
class TranslateErrors implements ActivityInboundCallsInterceptor {
  readonly #onUnknown: (error: unknown) => void;

  constructor(onUnknown: (error: unknown) => void) {
    this.#onUnknown = onUnknown;
  }

  async execute(input: ActivityExecuteInput, next: Next<ActivityInboundCallsInterceptor, 'execute'>): Promise<unknown> {
    try {
      return await next(input);
    } catch (error) {
      throw this.#translate(error);
    }
  }

  #translate(error: unknown): unknown {
    if (error instanceof EngineError) {
      const { code, message, retryAfterMs: nextRetryDelay } = error;
      const nonRetryable = !ERRORS[code].retry;
      return ApplicationFailure.create({
        type: code,
        message,
        nonRetryable,
        ...(nextRetryDelay && { nextRetryDelay }),
      });
    }
    if (!(error instanceof Error) || isTemporals(error)) return error;
    const away = awayCodeOf(error);
    if (away !== null) {
      this.#onUnknown(error);
      return ApplicationFailure.retryable(`The engine cannot reach ${away}.`, 'unavailable');
    }
    this.#onUnknown(error);
    return ApplicationFailure.retryable(`An unexpected ${error.name}; the worker's log has it.`, 'internal');
  }
}

/** The codes of a database, or a store, that is away: of the connection, and of a server that stops or starts. */
const AWAY = /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EPIPE|ETIMEDOUT|EHOSTUNREACH|08\w{3}|57P0[123])$/;

function awayCodeOf(error: Error): string | null {
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' && AWAY.test(code) ? code : null;
}

/** The SDK's failures and cancellations already say what they mean, so they pass unchanged. */
function isTemporals(error: Error): boolean {
  return ['ApplicationFailure', 'CancelledFailure', 'CompleteAsyncError', 'AbortError'].includes(error.name);
}

export function activityInterceptors(onUnknown: (error: unknown) => void): () => ActivityInterceptors {
  return () => ({ inbound: new TranslateErrors(onUnknown) });
}
