import type { StepFailure } from '../../domain/automations/execution.ts';

/**
 * A step could not be done, however often it was tried. Code that can go on without it catches this; what nobody catches
 * ends the execution as failed, for this reason.
 */
export class StepFailed extends Error {
  override readonly name = 'StepFailed';
  readonly reason: StepFailure;

  constructor(reason: StepFailure) {
    super(`The step could not be done: ${reason}.`);
    this.reason = reason;
  }
}
