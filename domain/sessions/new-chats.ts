import { z } from 'zod';
import { explained } from '../explained.ts';

/** The network warns an account twice before it forbids it to open more chats in this cycle. */
export const NEW_CHAT_STEPS = ['none', 'first_warning', 'second_warning', 'capped'] as const;
export type NewChatStep = (typeof NEW_CHAT_STEPS)[number];

/** The network's quota of chats that an account may open in one cycle. A number or time that it does not tell is null. */
export const NewChats = z.object({
  step: z.enum(NEW_CHAT_STEPS).meta({
    description: explained("The network's step.", {
      none: 'No warning.',
      first_warning: 'The first warning. The engine spreads the rest of the quota over the rest of the cycle.',
      second_warning: 'The second warning, with the same effect.',
      capped: 'The account may open no more chats until the cycle ends. `session.restricted` is told, too.',
    }),
  }),
  used: z.int().nullable().meta({ description: 'Chats that the account has opened in this cycle, if known.' }),
  total: z.int().nullable().meta({ description: 'Chats that the account may open in one cycle, if known.' }),
  until: z.iso.datetime().nullable().meta({ description: 'The end of the cycle, if known.' }),
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
