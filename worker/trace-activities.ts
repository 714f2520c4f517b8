import type { Context } from '@temporalio/activity';
import { defaultPayloadConverter } from '@temporalio/common';
import type { ActivityInterceptors, InjectedSinks } from '@temporalio/worker';
import { inSpan, isTracing, tellSpan, TRACEPARENT } from '../domain/telemetry/tracing.ts';
import type { TracingSinks } from '../workflows/interceptors.ts';

/** Runs an activity in a span of the trace that its workflow carries. */
export function traceActivities({ info }: Context): ActivityInterceptors {
  return {
    inbound: {
      execute(input, next) {
        const header = isTracing() ? input.headers[TRACEPARENT] : undefined;
        if (header === undefined) return next(input);
        const parent = String(defaultPayloadConverter.fromPayload(header));
        const attributes = { attempt: info.attempt, queue: info.taskQueue };
        return inSpan({ name: info.activityType, kind: 'consumer', parent, attributes }, () => next(input));
      },
    },
  };
}

/** Tells the span of a workflow's run once, not at its replays. */
export const tracingSinks: InjectedSinks<TracingSinks> = {
  tracing: {
    runEnded: {
      callDuringReplay: false,
      fn: (_info, run) => tellSpan({ ...run, kind: 'internal' }),
    },
  },
};
