import type { Log } from '../domain/log.ts';

/** A running half of the engine, or all of it. */
export interface Stoppable {
  /** Resolves when it ends by itself, which it should not. */
  ended: Promise<void>;
  /** True once a part of it has failed. */
  readonly failed: boolean;
  stop(): Promise<void>;
}

type Step = () => Promise<unknown>;

/** Steps to undo a start, run in the opposite order; one that fails does not keep the others from running. */
export class StopSteps {
  readonly #steps: Step[] = [];
  readonly #log: Pick<Log, 'error'>;

  constructor(log: Pick<Log, 'error'>) {
    this.#log = log;
  }

  add(step: Step): void {
    this.#steps.push(step);
  }

  /** Starts something; where that fails or is called off, what was started by then is stopped again. */
  async unwindOnFailure<T>(start: () => Promise<T>): Promise<T> {
    try {
      return await start();
    } catch (error) {
      await this.run();
      throw error;
    }
  }

  async run(): Promise<void> {
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      try {
        await step();
      } catch (error) {
        this.#log.error({ err: error }, 'a step of the stop failed');
      }
    }
  }
}
