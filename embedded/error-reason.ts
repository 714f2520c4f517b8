/** Whether the operating system or Node refused for this reason (`ENOENT`, `EEXIST`, …). */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  // It is not `instanceof Error`, because Node's own errors are of another realm under a test runner.
  return typeof error === 'object' && error !== null && 'code' in error && codes.some((code) => code === error.code);
}

/** Says what went wrong in the words of the innermost cause, which is the one that helps: `fetch failed` does not. */
export function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  if ('cause' in error && error.cause !== undefined) return reasonOf(error.cause);
  return 'message' in error ? String(error.message) : 'unknown reason';
}
