import { newMachine } from '../../tools/demo/engine-process.ts';
import type { EngineProcess, Machine } from '../../tools/demo/engine-process.ts';

/** A machine for one engine, whose sandbox does not send late: "certainly absent" is believed after seconds. */
export function aMachine(overrides: Record<string, string> = {}): Promise<Machine> {
  const soon = { SETTLE_ABSENT_AFTER_BREAK_MS: '3000', SETTLE_ABSENT_AFTER_ERROR_MS: '1000' };
  return newMachine(process.env, { ...soon, ...overrides });
}

/** Returns the value behind a label on an engine's screen. */
export function shown({ output }: EngineProcess, label: string): string {
  return new RegExp(`${label}\\s+(\\S+)`).exec(output)?.[1] ?? '';
}
