import { WORKING } from './session.ts';
import { ON_ITS_WAY_MS } from './comparison.ts';
import type { Window } from './gap.ts';
import { placeOf } from './recovery.ts';
import type { SessionWish } from './wish.ts';

/** The facts that decide whether a session's chats are sampled. */
export interface AuditedSession {
  status: string;
  statusChangedAt: Date;
  wish: SessionWish;
  auditedAt: Date | null;
  /** Since when all that its contacts write is to be here; null before its first audit. */
  toldSince: Date | null;
}

/** An audit compares this many chats, chosen by chance. */
export const AUDITED_CHATS = 5;

/**
 * Between which times the messages of a sample of chats are to be here; null while no audit is due. With `everyMs` 0
 * none ever is.
 */
export function auditOf(session: AuditedSession, now: Date, everyMs: number): Window | null {
  const { status, statusChangedAt, wish, auditedAt, toldSince } = session;
  if (everyMs === 0 || status !== WORKING || wish !== 'running') return null;
  const from = toldSince ?? statusChangedAt;
  if (now.getTime() - (auditedAt ?? from).getTime() < everyMs) return null;
  return { from, to: new Date(now.getTime() - ON_ITS_WAY_MS) };
}

/** Chooses some of these by chance. The same seed chooses the same ones, so an attempt after a kill goes on with them. */
export function sampleOf<Each extends { chatId: string }>(chats: readonly Each[], seed: string): Each[] {
  return chats
    .map((chat) => ({ chat, place: placeOf(`${seed} ${chat.chatId}`) }))
    .toSorted((a, b) => a.place - b.place || (a.chat.chatId < b.chat.chatId ? -1 : 1))
    .slice(0, AUDITED_CHATS)
    .map(({ chat }) => chat);
}
