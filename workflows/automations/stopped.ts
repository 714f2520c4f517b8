import type { StopReason } from '../../domain/automations/execution.ts';

/** Ends an execution that must not go on; nothing of it is an error. Code that catches it must throw it again. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(`The execution must stop: ${reason}.`);
    this.reason = reason;
  }
}
