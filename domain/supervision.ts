/**
 * A supervisor that learns nothing new rests this long at most before it looks at the backend by itself. The bound has
 * a file of its own because workflows do without zod.
 */
export const MAX_SUPERVISOR_REST_MS = 6 * 3_600_000;
