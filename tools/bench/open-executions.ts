import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { WorkflowType } from '../../domain/workflows.ts';
import { NAMESPACE } from './machine.ts';

const LOOK_EVERY_MS = 1_000;

/** Counts how many executions are open at a time, by Temporal's own count. */
export class OpenExecutions {
  readonly #connection: Connection;
  readonly #client: Client;

  private constructor(connection: Connection) {
    this.#connection = connection;
    this.#client = new Client({ connection, namespace: NAMESPACE });
  }

  static async open(address: string): Promise<OpenExecutions> {
    return new OpenExecutions(await Connection.connect({ address }));
  }

  /** Looks repeatedly for `forMs` and returns the highest count seen of all these types together. */
  async highest(workflowTypes: readonly WorkflowType[], forMs: number): Promise<number> {
    let most = 0;
    const until = performance.now() + forMs;
    while (performance.now() < until) {
      const { count } = await this.#client.workflow.count(
        `WorkflowType in (${workflowTypes.map((type) => `'${type}'`).join(', ')}) and ExecutionStatus = 'Running'`,
      );
      most = Math.max(most, count);
      await pause(LOOK_EVERY_MS);
    }
    return most;
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }
}
