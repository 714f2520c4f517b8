import type { DryRunOfOne } from '../../domain/automations/dry-run/result.ts';

/**
 * The thread has loaded the automation; a run that was followed to its end, null where the start begins none after all;
 * or a question about the working hours, which are answered in turn.
 */
export type FromThread = { loaded: true } | { run: DryRunOfOne | null } | { hoursAtMs: number };

export interface ToThread {
  isOpen: boolean;
  opensInMs: number | null;
}
