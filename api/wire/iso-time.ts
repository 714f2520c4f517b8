/** Times that the spec does not name are ISO 8601 in UTC. */
export function isoOrNull(at: Date | null | undefined): string | null {
  return at ? at.toISOString() : null;
}
