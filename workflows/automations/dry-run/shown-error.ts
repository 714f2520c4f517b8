import type { DryRunOfOne } from '../../../domain/automations/dry-run/result.ts';

const MAX_LENGTH = 1_000;

/**
 * The error of an automation's code, for its author: the message, and the line of the automation's file. The code knows
 * ids, numbers and what the request gives, so its message holds no more; no path of this machine is shown.
 */
export function shownError(error: unknown, definition: string): NonNullable<DryRunOfOne['error']> {
  if (!(error instanceof Error)) return { message: String(error).slice(0, MAX_LENGTH), at: null };
  const [, line] = new RegExp(`/workflows/automations/${definition}\\.ts:(\\d+)`).exec(error.stack ?? '') ?? [];
  return {
    message: `${error.name}: ${error.message}`.slice(0, MAX_LENGTH),
    at: line === undefined ? null : `${definition}.ts:${line}`,
  };
}
