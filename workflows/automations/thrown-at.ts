/**
 * The place in an automation's own file at which it threw, such as `workflows/automations/remind-later.ts:27:13`; null
 * where the stack does not name the file. It is a place in the code, so it may go to Temporal.
 */
export function thrownAt(error: unknown, definition: string): string | null {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return new RegExp(`workflows/automations/${definition}\\.ts:\\d+(?::\\d+)?`).exec(stack)?.[0] ?? null;
}
