import { z } from 'zod';
import type { NewChats, NewChatStep } from '../../../domain/sessions/new-chats.ts';
import { Flag, Text, wholeSeconds } from '../events/raw.ts';

/**
 * The network forbids the account for now to write to contacts who have not written to it
 * (`docs/extend/backend.md#sending`, 10).
 */
export interface AccountRestriction {
  reason: 'reachout_timelock' | 'message_capped';
  /** Null when the network does not say how long the restriction lasts. */
  until: Date | null;
}

const When = z.union([z.number(), z.string()]).nullable().catch(null);

const Count = z.int().nonnegative().nullable().catch(null);

const Restrictions = z
  .object({
    reachoutTimelock: z.object({ isActive: Flag, timeEnforcementEnds: When }).nullable().catch(null),
    messageCapping: z
      .object({ cappingStatus: Text, cycleEnd: When, usedQuota: Count, totalQuota: Count })
      .nullable()
      .catch(null),
  })
  .catch({ reachoutTimelock: null, messageCapping: null });

/** Reads the restriction from `me` of a session; null when there is none or when it has ended already. */
export function restrictionOf(me: unknown, nowMs: number): AccountRestriction | null {
  const { reachoutTimelock: lock, messageCapping: cap } = Restrictions.parse(me);
  const found: AccountRestriction[] = [];
  if (lock?.isActive === true) found.push({ reason: 'reachout_timelock', until: dateOf(lock.timeEnforcementEnds) });
  if (cap?.cappingStatus === 'CAPPED') found.push({ reason: 'message_capped', until: dateOf(cap.cycleEnd) });
  return found.find(({ until }) => until === null || until.getTime() > nowMs) ?? null;
}

const STEPS: Partial<Record<string, NewChatStep>> = {
  NONE: 'none',
  FIRST_WARNING: 'first_warning',
  SECOND_WARNING: 'second_warning',
  CAPPED: 'capped',
};

/** Reads the quota of new chats from `me` of a session; null when the backend does not tell it, or an unknown step. */
export function newChatsOf(me: unknown): NewChats | null {
  const { messageCapping: cap } = Restrictions.parse(me);
  const step = STEPS[cap?.cappingStatus ?? ''];
  if (cap === null || step === undefined) return null;
  const until = dateOf(cap.cycleEnd)?.toISOString() ?? null;
  return { step, used: cap.usedQuota, total: cap.totalQuota, until };
}

function dateOf(when: number | string | null): Date | null {
  if (when === null) return null;
  const isNumber = typeof when === 'number' || /^\d+$/.test(when);
  const date = new Date(isNumber ? wholeSeconds(Number(when)) * 1_000 : when);
  return Number.isNaN(date.getTime()) ? null : date;
}
