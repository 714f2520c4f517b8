/** Writes a time as ISO 8601 in UTC, the form of every time for which the spec names no other. */
export function isoOrNull(at: Date | null | undefined): string | null {
  return at ? at.toISOString() : null;
}
