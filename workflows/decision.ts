/** A person's decision. Its actor and reason are kept in the history of the object that it is about. */
export interface Decision {
  actor: string;
  reason: string;
}

/**
 * Throws unless the value is a decision. A person types it by hand in Temporal's UI, so it may be anything. The check
 * does without zod, because every cached workflow would hold a copy of zod.
 */
export function requireDecision(given: unknown): void {
  requireText(given, 'actor');
  requireText(given, 'reason');
}

export function fieldOf(given: unknown, name: string): unknown {
  return typeof given === 'object' && given !== null ? Reflect.get(given, name) : undefined;
}

/** The text of an Update's input, which a person copies from the current details and fills in. */
export function toPaste(input: object = {}): string {
  return `\`${JSON.stringify({ ...input, actor: 'your name', reason: 'why' })}\``;
}

/** Throws unless the value has a text of that name. */
export function requireText(given: unknown, name: string): void {
  const value = fieldOf(given, name);
  if (typeof value !== 'string' || value.trim() === '' || value.length > 500) {
    throw new TypeError(`"${name}" must be a text of 1 to 500 characters.`);
  }
}
