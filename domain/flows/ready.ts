import { readFileSync } from 'node:fs';

/** The definitions that come with the engine, by their file names, to be copied and changed. */
export const READY_FLOWS = [
  'greeting-outside-hours',
  'lead-questions',
  'appointment-reminder',
  'order-status',
  'satisfaction',
  'win-back',
  'vip-routing',
  'lost-cart',
] as const;
export type ReadyFlowName = (typeof READY_FLOWS)[number];

/** Reads a ready definition as YAML. */
export function readyFlow(name: ReadyFlowName): string {
  return readFileSync(new URL(`./ready/${name}.yaml`, import.meta.url), 'utf8');
}
