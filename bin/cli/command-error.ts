/** An error that a person can mend, so it is shown as one sentence, without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** The words of the command could not be understood, so the way to the usage is shown with the error. */
export class UsageError extends CommandError {}
