import { defaultPayloadConverter } from '@temporalio/common';
import type { Payload } from '@temporalio/common';
import { ContinueAsNew, proxySinks, workflowInfo } from '@temporalio/workflow';
import type { Sinks, WorkflowInterceptors } from '@temporalio/workflow';

/*
 * Carries a trace through a workflow: from the header of its start to the headers of what it asks for. Without that
 * header each of these does nothing, and nothing here makes a command or waits, so histories replay with and without.
 */

/** The span of a run that has ended. Its id is made of the run's, because what the run asks for names it before. */
export interface EndedRun {
  parent: string;
  spanId: string;
  name: string;
  startMs: number;
  endMs: number;
  failed: boolean;
}

export interface TracingSinks extends Sinks {
  tracing: { runEnded(run: EndedRun): void };
}

const HEADER = 'traceparent';

const traceOf = (payload: Payload | undefined): string | undefined =>
  payload && String(defaultPayloadConverter.fromPayload(payload)).split('-')[1];

export function interceptors(): WorkflowInterceptors {
  /** For what this run asks for; undefined while it is not traced. */
  let carried: Payload | undefined;
  /** For the run that continues this one. */
  let received: Payload | undefined;
  const withTrace = <Input extends { readonly headers: Record<string, Payload> }>(
    input: Input,
    payload: Payload | undefined,
  ): Input => (payload === undefined ? input : { ...input, headers: { ...input.headers, [HEADER]: payload } });

  return {
    inbound: [
      {
        execute(input, next) {
          received = input.headers[HEADER];
          if (received === undefined) return next(input);
          const parent = String(defaultPayloadConverter.fromPayload(received));
          const { runId, workflowType, runStartTime } = workflowInfo();
          const spanId = runId.replaceAll('-', '').slice(-16);
          carried = defaultPayloadConverter.toPayload(parent.replace(/-[0-9a-f]{16}-/, `-${spanId}-`));
          const tell = (failed: boolean): void => {
            const times = { startMs: runStartTime.getTime(), endMs: Date.now() };
            proxySinks<TracingSinks>().tracing.runEnded({ parent, spanId, name: workflowType, ...times, failed });
          };
          const ended = next(input);
          ended.then(
            () => tell(false),
            (error: unknown) => tell(!(error instanceof ContinueAsNew)),
          );
          return ended;
        },
        // A signal of another trace, such as an agent's next turn, belongs to that trace.
        handleSignal(input, next) {
          const told = input.headers[HEADER];
          if (told !== undefined && traceOf(told) !== traceOf(carried)) carried = told;
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(withTrace(input, carried)),
        scheduleLocalActivity: (input, next) => next(withTrace(input, carried)),
        startChildWorkflowExecution: (input, next) => next(withTrace(input, carried)),
        signalWorkflow: (input, next) => next(withTrace(input, carried)),
        continueAsNew: (input, next) => next(withTrace(input, received)),
      },
    ],
  };
}
