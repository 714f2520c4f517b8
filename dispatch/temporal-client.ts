import type { loadClientConnectConfig } from '@temporalio/envconfig';
import { Client, Connection } from '@temporalio/client';
import type { ConnectionLike } from '@temporalio/client';

export interface TemporalTarget {
  /** As Temporal's own variables and profiles say: address, TLS, API key. */
  connectionOptions: ReturnType<typeof loadClientConnectConfig>['connectionOptions'];
  namespace: string;
}

/** A client that connects with its first call, so that the API starts and answers 202 while Temporal is down. */
export function createLazyClient(target: TemporalTarget): Client {
  return createClient(Connection.lazy(target.connectionOptions), target.namespace);
}

/** On a worker's own connection starts may be eager: the first workflow task comes back with the start. */
export function createClient(connection: ConnectionLike, namespace: string): Client {
  return new Client({ connection, namespace, identity: 'messaging-engine' });
}

/**
 * Asks whether Temporal answers, on a connection of its own without the retry interceptor: that fails in milliseconds,
 * where the client's default connection takes ten seconds or more to say so.
 */
export async function probeTemporal(target: TemporalTarget): Promise<void> {
  const connection = await Connection.connect({
    ...target.connectionOptions,
    interceptors: [],
    connectTimeout: 2_000,
  });
  try {
    await connection.withDeadline(Date.now() + 2_000, () =>
      connection.workflowService.describeNamespace({ namespace: target.namespace }),
    );
  } finally {
    await connection.close();
  }
}

/** The id that a namespace has got from its store: a store that was made anew gives it another. */
export async function findNamespaceId(connection: ConnectionLike, namespace: string): Promise<string> {
  const { namespaceInfo } = await connection.workflowService.describeNamespace({ namespace });
  return namespaceInfo?.id ?? '';
}
