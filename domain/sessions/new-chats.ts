import { z } from 'zod';

/** The network warns an account twice before it forbids it to open more chats in this cycle. */
export const NEW_CHAT_STEPS = ['none', 'first_warning', 'second_warning', 'capped'] as const;
export type NewChatStep = (typeof NEW_CHAT_STEPS)[number];

/** The network's quota of chats that an account may open in one cycle. A number or time that it does not tell is null. */
export const NewChats = z.object({
  step: z.enum(NEW_CHAT_STEPS),
  used: z.int().nullable(),
  total: z.int().nullable(),
  until: z.iso.datetime().nullable(),
});
export type NewChats = z.output<typeof NewChats>;

const DAY_MS = 24 * 60 * 60_000;
/** This many chats a day suit a warned account whose quota or cycle the network does not tell. */
const UNTOLD_PER_DAY = 5;

/**
 * Returns how many chats a warned account may open a day, so that its quota lasts until the cycle ends; null without a
 * warning. A capped account is restricted instead.
 */
export function firstContactsCap({ step, used, total, until }: NewChats, now: Date): number | null {
  if (step !== 'first_warning' && step !== 'second_warning') return null;
  if (used === null || total === null || until === null) return UNTOLD_PER_DAY;
  const daysLeft = Math.max(1, Math.ceil((Date.parse(until) - now.getTime()) / DAY_MS));
  return Math.max(1, Math.ceil((total - used) / daysLeft));
}
