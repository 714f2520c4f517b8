/**
 * A supervisor that learns nothing new rests this long at most before it looks at the backend by itself. It stands alone
 * because workflows do without zod.
 */
export const MAX_SUPERVISOR_REST_MS = 6 * 3_600_000;
