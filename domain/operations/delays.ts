import { z } from 'zod';
import type { EngineWork } from './engine-work.ts';

/** The kinds of work that the engine may be late with. */
const DELAYED_WORK = ['messages', 'answers', 'promises', 'events_in', 'events_out'] as const;
export type DelayedWork = (typeof DELAYED_WORK)[number];

/**
 * Work of this age is late: on a machine that keeps up it takes seconds. Every reader of the engine's health takes its
 * bounds from here, so that none says "well" while another warns.
 */
export const LATE_AFTER_S: Readonly<Record<DelayedWork, number>> = {
  messages: 60,
  // A turn takes minutes when a model is slow and its fallback is asked.
  answers: 5 * 60,
  promises: 60,
  events_in: 60,
  events_out: 60,
};

/** After these many seconds a repair does not work, for `/readyz` and `engine status` alike. */
export const REPAIR_LATE_S = {
  /** The schedule reconciles each half minute, and workers reconcile by themselves after three minutes without it. */
  reconcile: 5 * 60,
  /** Every uncertain outcome is settled well before this. */
  sending: 15 * 60,
  /** Events of backends are applied as they come, and one that fails is tried again within seconds. */
  unapplied: 60,
} as const;

const WorkName = z.enum(DELAYED_WORK).meta({
  description:
    'Kinds of waiting work: `messages`, `answers`, `promises`, `events_in` and `events_out`.\n\n`messages` ' +
    'and `events_out` wait for their first attempt. `answers` are owed by the agent, `promises` wait for ' +
    'Temporal, `events_in` wait to be applied.',
});

/** One kind of work that is late, and for how long its oldest part has waited. */
export const Delay = z.object({
  work: WorkName,
  seconds: z.number().meta({ description: 'How long the oldest has waited, in seconds.' }),
});
export type Delay = z.output<typeof Delay>;

/** The same for everybody: whole minutes say nothing of one tenant. */
export const CoarseDelay = z.object({
  work: WorkName,
  minutes: z.int().meta({ description: 'How long the oldest has waited, in whole minutes.' }),
});

/** Answers how long the oldest work of each kind has waited for the engine itself; 0 where none waits. */
export function waitsOf(work: EngineWork): Record<DelayedWork, number> {
  return {
    messages: work.untriedMessages.oldestSeconds ?? 0,
    answers: work.owed.oldestSeconds ?? 0,
    promises: work.promises.oldestSeconds ?? 0,
    events_in: work.unappliedEvents.oldestSeconds ?? 0,
    events_out: work.untriedDeliveries.oldestSeconds ?? 0,
  };
}

/** Names the work that is late by the engine's own doing: what a rule, an account or a receiver holds is not. */
export function delaysOf(work: EngineWork): Delay[] {
  const waits = waitsOf(work);
  return DELAYED_WORK.filter((name) => waits[name] > LATE_AFTER_S[name]).map((name) => ({
    work: name,
    seconds: waits[name],
  }));
}

export function coarse({ work, seconds }: Delay): z.output<typeof CoarseDelay> {
  return { work, minutes: Math.floor(seconds / 60) };
}
