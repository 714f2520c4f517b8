import type { FlowEndReason, FlowError } from '../flow.ts';

const STANDARD = 'https://serverlessworkflow.io/spec/1.0.0/errors/';

/** The types of errors that the interpreter raises, as the standard names them. */
export const ERROR_TYPES = {
  expression: `${STANDARD}expression`,
  validation: `${STANDARD}validation`,
  timeout: `${STANDARD}timeout`,
} as const;

/** A task raised an error that a `catch` may handle. */
export class Raised extends Error {
  readonly error: FlowError;

  constructor(error: FlowError) {
    super(error.title);
    this.error = error;
  }
}

/** The run is over, and no `catch` changes that. */
export class Ended extends Error {
  readonly reason: FlowEndReason;
  readonly error: FlowError;

  constructor(reason: FlowEndReason, title: string, detail?: string) {
    super(title);
    this.reason = reason;
    this.error = { type: reason, status: 500, title, ...(detail === undefined ? {} : { detail }) };
  }
}

export const invalid = (title: string, detail: string): Raised =>
  new Raised({ type: ERROR_TYPES.validation, status: 400, title, detail });
