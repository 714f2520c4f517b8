import { z } from 'zod';
import type { TenantScope } from '../../../domain/scope.ts';
import { HINTS_OF } from '../../../domain/webhooks/stream/frames.ts';
import type { HintOf } from '../../../domain/webhooks/stream/frames.ts';
import type { Tx } from '../../engine/tx.ts';
import { rows } from '../../engine/rows.ts';

/** A change that only the team sees, in a conversation; no event tells of it. */
export interface TeamHint extends TenantScope {
  sessionId: string;
  conversationId: string;
  what: HintOf;
}

/** Wakes the streams of all processes that show hints of the conversation. No id holds a slash. */
export function hint(tx: Tx, { agencyId, tenantId, sessionId, conversationId, what }: TeamHint): void {
  tx.wake('team', [agencyId, tenantId, sessionId, conversationId, what].join('/'));
}

/** Reads what a wake-up hints at. One of a process of the previous release names no kind, so it is of each. */
export function hintsOf(key: string): TeamHint[] {
  const [agencyId = '', tenantId = '', sessionId = '', conversationId = '', named] = key.split('/');
  const told = HINTS_OF.filter((what) => named === undefined || named === what);
  return told.map((what) => ({ agencyId, tenantId, sessionId, conversationId, what }));
}

const Talk = z.object({ sessionId: z.string(), conversationId: z.string() });

/** Hints at changed notes in all conversations of a contact. */
export async function hintOfContact(tx: Tx, scope: TenantScope, contactId: string): Promise<void> {
  const { agencyId, tenantId } = scope;
  const talks = await rows(tx, Talk)`
    select session_id as "sessionId", id as "conversationId" from conversation where contact_id = ${contactId}`;
  for (const talk of talks) hint(tx, { agencyId, tenantId, ...talk, what: 'notes' });
}
