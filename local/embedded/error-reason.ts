/** Tells whether the operating system or Node refused for this reason (`ENOENT`, `EEXIST`, …). */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  // `instanceof Error` does not serve, because Node's own errors are of another realm under a test runner.
  return typeof error === 'object' && error !== null && 'code' in error && codes.some((code) => code === error.code);
}

/** Returns the words of the innermost cause, because the outer words (such as `fetch failed`) do not help. */
export function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  if ('cause' in error && error.cause !== undefined) return reasonOf(error.cause);
  return 'message' in error ? String(error.message) : 'unknown reason';
}
