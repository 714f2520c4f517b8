import type { Log } from '../domain/log.ts';

/** A running half of the engine, or all of it. */
export interface Stoppable {
  /** Resolves when the half ends by itself, which should not happen. */
  ended: Promise<void>;
  /** True once a part of the half has failed. */
  readonly failed: boolean;
  stop(): Promise<void>;
}

type Step = () => Promise<unknown>;

/** Steps that undo a start, run in the opposite order. A step that fails does not keep the others from running. */
export class StopSteps {
  readonly #steps: Step[] = [];
  readonly #log: Pick<Log, 'error'>;

  constructor(log: Pick<Log, 'error'>) {
    this.#log = log;
  }

  add(step: Step): void {
    this.#steps.push(step);
  }

  /** Starts something. If the start fails or is called off, everything that was started by then is stopped again. */
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
