import type { Context, Middleware } from 'koa';
import { EngineError } from '../../domain/error.ts';
import { problemOf } from './problem.ts';
import type { RequestState } from './request-state.ts';

/** The status by which nginx says that the client left before there was an answer; only logs and metrics see it. */
const CLIENT_CLOSED_REQUEST = 499;

/**
 * Turns everything that is thrown into a problem. An error that is no `EngineError` becomes `internal`, and is logged
 * but never shown.
 */
export function problemAnswers(publicUrl: string): Middleware<RequestState> {
  return async (context, next) => {
    try {
      await next();
    } catch (error) {
      if (clientLeft(context)) {
        context.status = CLIENT_CLOSED_REQUEST;
        return;
      }
      const { requestId, log } = context.state;
      const shown = error instanceof EngineError ? error : hidden(error);
      if (shown.code === 'internal') log.error({ err: shown.cause ?? shown }, 'request failed');
      const problem = problemOf(shown, publicUrl, requestId);
      context.status = problem.status;
      context.set(shown.headers);
      context.set('cache-control', 'no-store');
      context.type = 'application/problem+json';
      context.body = JSON.stringify(problem);
    }
  };
}

function hidden(cause: unknown): EngineError {
  return new EngineError('internal', 'Report the requestId to the operator of the engine.', { cause });
}

function clientLeft(context: Pick<Context, 'req' | 'res'>): boolean {
  return context.res.destroyed && !context.res.writableFinished;
}
