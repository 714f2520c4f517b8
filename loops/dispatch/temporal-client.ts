import type { loadClientConnectConfig } from '@temporalio/envconfig';
import { Client, Connection } from '@temporalio/client';
import type { ConnectionLike, WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import type { Headers } from '@temporalio/common';
import { currentTrace, TRACEPARENT } from '../../domain/telemetry/tracing.ts';

/** Long enough for a person who waits for an answer about health. */
const PROBE_WITHIN_MS = 2_000;

export interface TemporalTarget {
  /** Address, TLS and API key, read from Temporal's own variables and profiles. */
  connectionOptions: ReturnType<typeof loadClientConnectConfig>['connectionOptions'];
  namespace: string;
}

/** Makes a client that connects with its first call, so that the API starts and answers 202 while Temporal is down. */
export function createLazyClient(target: TemporalTarget): Client {
  return createClient(Connection.lazy(target.connectionOptions), target.namespace);
}

/**
 * Makes a client. With a worker's own connection starts may be eager: the first workflow task comes back with the
 * start.
 */
export function createClient(connection: ConnectionLike, namespace: string): Client {
  return new Client({ connection, namespace, identity: 'messaging-engine', interceptors: { workflow: [traceStarts] } });
}

/**
 * Asks whether Temporal answers. The probe has a connection of its own without the retry interceptor, so it fails in
 * milliseconds; the client's default connection takes ten seconds or more.
 */
export async function probeTemporal(target: TemporalTarget, withinMs = PROBE_WITHIN_MS): Promise<void> {
  // `Connection.connect` would wait the whole time where nothing listens, and not say so.
  const connection = Connection.lazy({ ...target.connectionOptions, interceptors: [] });
  try {
    await connection.withDeadline(Date.now() + withinMs, () =>
      connection.workflowService.describeNamespace({ namespace: target.namespace }),
    );
  } finally {
    await connection.close();
  }
}

/** Reads the id that Temporal's store has given the namespace; a store that was made anew gives it another. */
export async function findNamespaceId(connection: ConnectionLike, namespace: string): Promise<string> {
  const { namespaceInfo } = await connection.workflowService.describeNamespace({ namespace });
  return namespaceInfo?.id ?? '';
}

/** Gives a workflow the trace in which it is started or signalled; without one its headers stay as they are. */
const traceStarts: WorkflowClientInterceptor = {
  startWithDetails: (input, next) => next(withTrace(input)),
  signalWithStart: (input, next) => next(withTrace(input)),
  signal: (input, next) => next(withTrace(input)),
};

function withTrace<Input extends { readonly headers: Headers }>(input: Input): Input {
  const trace = currentTrace();
  if (trace === undefined) return input;
  return { ...input, headers: { ...input.headers, [TRACEPARENT]: defaultPayloadConverter.toPayload(trace) } };
}
