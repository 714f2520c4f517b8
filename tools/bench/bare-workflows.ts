import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { NAMESPACE } from './machine.ts';

const QUEUE = 'bench';

export interface BareActivities {
  noop(): Promise<number>;
}

/**
 * Measures the least times that Temporal itself needs, on the server that the engine uses, while the engine is idle.
 */
export class BareWorkflows {
  readonly #begun: number[] = [];
  readonly #client: Client;
  readonly #connection: NativeConnection;
  readonly #worker: Worker;
  readonly #run: Promise<void>;

  private constructor(connection: NativeConnection, worker: Worker, begun: number[]) {
    this.#connection = connection;
    this.#client = new Client({ connection, namespace: NAMESPACE });
    this.#worker = worker;
    this.#begun = begun;
    this.#run = worker.run();
  }

  static async start(address: string): Promise<BareWorkflows> {
    Runtime.install({
      logger: new DefaultLogger('ERROR'),
      shutdownSignals: [],
      telemetryOptions: { logging: { forward: {}, filter: 'ERROR' } },
    });
    const connection = await NativeConnection.connect({ address });
    const begun: number[] = [];
    const activities: BareActivities = {
      noop: () => {
        begun.push(performance.now());
        return Promise.resolve(begun.length);
      },
    };
    const worker = await Worker.create({
      connection,
      namespace: NAMESPACE,
      taskQueue: QUEUE,
      activities: { ...activities },
      workflowsPath: fileURLToPath(new URL('./workflows.ts', import.meta.url)),
    });
    return new BareWorkflows(connection, worker, begun);
  }

  /**
   * Measures the milliseconds from the start call to the end of a workflow with one local activity. `eager` stands for
   * an engine in one process; without it API and worker are apart.
   */
  async startToLocalActivity(count: number, eager: boolean): Promise<number[]> {
    const samples: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const startedAt = performance.now();
      await this.#client.workflow.execute('oneLocalActivity', {
        taskQueue: QUEUE,
        workflowId: `bench/${randomUUID()}`,
        requestEagerStart: eager,
      });
      samples.push(performance.now() - startedAt);
      await pause(30);
    }
    return samples;
  }

  /**
   * Measures the milliseconds from the start call to the end of a workflow with two no-op activities, one after the
   * other.
   */
  async twoActivities(count: number): Promise<number[]> {
    const samples: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const startedAt = performance.now();
      await this.#client.workflow.execute('twoActivities', { taskQueue: QUEUE, workflowId: `bench/${randomUUID()}` });
      samples.push(performance.now() - startedAt);
      await pause(30);
    }
    return samples;
  }

  /** Measures the milliseconds from the start call to the beginning of a workflow's one no-op activity. */
  async startToActivity(count: number): Promise<number[]> {
    const samples: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const startedAt = performance.now();
      await this.#client.workflow.execute('oneActivity', { taskQueue: QUEUE, workflowId: `bench/${randomUUID()}` });
      samples.push((this.#begun.at(-1) ?? startedAt) - startedAt);
      await pause(30);
    }
    return samples;
  }

  /** Runs bare workflows with one no-op activity, `atOnce` at a time, and returns how many ended per second. */
  async perSecond(count: number, atOnce: number): Promise<number> {
    const startedAt = performance.now();
    let next = 0;
    const lane = async (): Promise<void> => {
      while (next < count) {
        next += 1;
        await this.#client.workflow.execute('oneActivity', { taskQueue: QUEUE, workflowId: `bench/${randomUUID()}` });
      }
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
    return (count * 1_000) / (performance.now() - startedAt);
  }

  /** Begins workflows with one local activity at a steady rate, and returns the milliseconds that each took. */
  async atRate(perSecond: number, count: number): Promise<number[]> {
    const runs: Promise<number>[] = [];
    for (let index = 0; index < count; index += 1) {
      const startedAt = performance.now();
      const run = this.#client.workflow.execute('oneLocalActivity', {
        taskQueue: QUEUE,
        workflowId: `bench/${randomUUID()}`,
      });
      runs.push(run.then(() => performance.now() - startedAt));
      await pause(1_000 / perSecond);
    }
    return Promise.all(runs);
  }

  /** Measures from a signal to the beginning of the activity that answers it, in a workflow that is already running. */
  async signalToActivity(count: number): Promise<number[]> {
    const handle = await this.#client.workflow.start('signalToActivity', {
      taskQueue: QUEUE,
      workflowId: `bench/${randomUUID()}`,
    });
    const samples: number[] = [];
    for (let index = 0; index < count; index += 1) {
      await pause(200);
      const seen = this.#begun.length;
      const signalledAt = performance.now();
      await handle.signal('poke', index);
      while (this.#begun.length === seen) await pause(1);
      samples.push((this.#begun.at(-1) ?? signalledAt) - signalledAt);
    }
    await handle.terminate('measured');
    return samples;
  }

  async stop(): Promise<void> {
    this.#worker.shutdown();
    await this.#run;
    await this.#connection.close();
  }
}
