import { defaultPayloadConverter } from '@temporalio/common';
import type { Headers } from '@temporalio/common';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { currentTrace, TRACEPARENT } from '../../domain/telemetry/tracing.ts';

/** Gives a workflow the trace in which it is started or signalled; without one its headers stay as they are. */
export const traceStarts: WorkflowClientInterceptor = {
  startWithDetails: (input, next) => next(withTrace(input)),
  signalWithStart: (input, next) => next(withTrace(input)),
  signal: (input, next) => next(withTrace(input)),
};

function withTrace<Input extends { readonly headers: Headers }>(input: Input): Input {
  const trace = currentTrace();
  if (trace === undefined) return input;
  return { ...input, headers: { ...input.headers, [TRACEPARENT]: defaultPayloadConverter.toPayload(trace) } };
}
