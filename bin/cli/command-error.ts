/** A person can mend it, so it is shown as one sentence, without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** The words could not be understood: the usage is shown with it. */
export class UsageError extends CommandError {}
