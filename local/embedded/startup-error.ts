/** An error that a person has to act on: one clear sentence, then what to do. It is printed without a stack. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
