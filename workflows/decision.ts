/** A person's decision: who decides and why are kept in the history of what it is about. */
export interface Decision {
  actor: string;
  reason: string;
}

/**
 * Refuses what is no decision: somebody types it by hand in Temporal's UI, so it may be anything. It does without zod,
 * because every cached workflow would hold a copy of it.
 */
export function requireDecision(given: unknown): void {
  requireText(given, 'actor');
  requireText(given, 'reason');
}

export function fieldOf(given: unknown, name: string): unknown {
  return typeof given === 'object' && given !== null ? Reflect.get(given, name) : undefined;
}

function requireText(given: unknown, name: string): void {
  const value = fieldOf(given, name);
  if (typeof value !== 'string' || value.trim() === '' || value.length > 500) {
    throw new TypeError(`"${name}" must be a text of 1 to 500 characters.`);
  }
}
