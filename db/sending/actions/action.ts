import { sql } from 'kysely';
import { z } from 'zod';
import type { Scope } from '../../../domain/scope.ts';
import { ACTION_KINDS, ACTION_STATUSES } from '../../../domain/sending/message-action.ts';
import type { MessageAction } from '../../../domain/sending/message-action.ts';
import { Timestamp } from '../../engine/columns.ts';
import { rows } from '../../engine/rows.ts';
import type { Queries } from '../../engine/tx.ts';

export const ActionRow = z.object({
  id: z.string(),
  messageId: z.string(),
  kind: z.enum(ACTION_KINDS),
  value: z.string().nullable(),
  status: z.enum(ACTION_STATUSES),
  reason: z.string().nullable(),
  detail: z.string().nullable(),
  actor: z.string().nullable(),
  attempts: z.int(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  endedAt: Timestamp.nullable(),
});
export type ActionRow = z.output<typeof ActionRow>;

/** The columns of an action `a`. */
export const ACTION_COLUMNS = sql`a.id, a.message_id as "messageId", a.kind, a.value, a.status, a.reason, a.detail,
  coalesce(a.actor, a.key_id) as actor, a.attempts, a.created_at as "createdAt", a.expires_at as "expiresAt",
  a.ended_at as "endedAt"`;

/** A page of what was asked to be done to a message holds this many at most, the latest first. */
const MAX_ACTIONS = 100;

/** Lists what was asked to be done to a message, the latest first. */
export async function listActions(queries: Queries, scope: Scope, messageId: string): Promise<ActionRow[]> {
  return rows(queries, ActionRow)`
    select ${ACTION_COLUMNS} from message_action a
    where a.message_id = message_of(${messageId}) and a.agency_id = ${scope.agencyId}
      and a.tenant_id = ${scope.tenantId}
    order by a.seq desc limit ${MAX_ACTIONS}`;
}

export function toActionView({ id, kind, value, createdAt, expiresAt, endedAt, ...action }: ActionRow): MessageAction {
  return {
    ...action,
    actionId: id,
    kind,
    text: kind === 'edit' ? value : null,
    emoji: kind === 'reaction' && value !== '' ? value : null,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  };
}
