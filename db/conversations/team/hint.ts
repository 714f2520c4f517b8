import { z } from 'zod';
import type { TenantScope } from '../../../domain/scope.ts';
import type { Tx } from '../../engine/tx.ts';
import { rows } from '../../engine/rows.ts';

/** A change that only the team sees, in a conversation; no event tells of it. */
export interface TeamHint extends TenantScope {
  sessionId: string;
  conversationId: string;
}

/** Wakes the streams of all processes that show hints of the conversation. No id holds a slash. */
export function hint(tx: Tx, { agencyId, tenantId, sessionId, conversationId }: TeamHint): void {
  tx.wake('team', [agencyId, tenantId, sessionId, conversationId].join('/'));
}

/** Reads the hint that a wake-up names. */
export function hintOf(key: string): TeamHint {
  const [agencyId = '', tenantId = '', sessionId = '', conversationId = ''] = key.split('/');
  return { agencyId, tenantId, sessionId, conversationId };
}

const Talk = z.object({ sessionId: z.string(), conversationId: z.string() });

/** Hints in all conversations of a contact. */
export async function hintOfContact(tx: Tx, scope: TenantScope, contactId: string): Promise<void> {
  const { agencyId, tenantId } = scope;
  const talks = await rows(tx, Talk)`
    select session_id as "sessionId", id as "conversationId" from conversation where contact_id = ${contactId}`;
  for (const talk of talks) hint(tx, { agencyId, tenantId, ...talk });
}
