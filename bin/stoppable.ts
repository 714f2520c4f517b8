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
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  add(step: Step): void {
    this.#steps.push(step);
  }

  async run(): Promise<void> {
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      try {
        await step();
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}
