import type { Scope } from '../../../domain/scope.ts';
import type { ActionKind, ActionReason, ActionStatus } from '../../../domain/sending/message-action.ts';
import { noteActOfPerson } from '../../automations/taken-over.ts';
import { findMessageIdByNetworkId } from '../../conversations/message.ts';
import { newId } from '../../new-id.ts';
import { run } from '../../rows.ts';
import type { Tx } from '../../tx.ts';
import { lockActedMessage } from './accept-action.ts';

/** An edit, a deletion or a reaction by a route of the backend. */
export interface PassedAction {
  networkId: string;
  kind: ActionKind;
  /** The new words, or the emoji. */
  value: string | null;
  isByPerson: boolean;
  keyId: string;
}

const UNKNOWN = {
  status: 'uncertain',
  reason: 'outcome_unknown',
} as const satisfies { status: ActionStatus; reason: ActionReason };
const DONE = 'done' satisfies ActionStatus;

/**
 * Notes an action before it is passed on, so that nobody takes its echo for a person on the phone. A person's ends the
 * runs of the conversation at once, as the engine's own routes do. The note is an ended one, so no workflow does it
 * again. Returns its id; null where nobody would see it, and for a message that the engine does not have.
 */
export async function notePassedAction(
  tx: Tx,
  scope: Scope & { sessionId: string },
  { networkId, kind, value, isByPerson, keyId }: PassedAction,
): Promise<string | null> {
  const found = await findMessageIdByNetworkId(tx, scope, networkId);
  const message = found === null ? null : await lockActedMessage(tx, scope, found);
  if (message === null || (kind !== 'reaction' && !message.fromMe)) return null;
  if (isByPerson) await noteActOfPerson(tx, message.conversationId);
  const id = newId('act');
  await run(tx)`
    insert into message_action (id, agency_id, tenant_id, session_id, message_id, kind, value, status, reason, attempts,
      key_id, created_at, expires_at, promised_at, ended_at)
    values (${id}, ${scope.agencyId}, ${scope.tenantId}, ${scope.sessionId}, ${message.messageId}, ${kind}, ${value},
      ${UNKNOWN.status}, ${UNKNOWN.reason}, 1, ${keyId}, ${tx.now}, ${tx.now}, ${tx.now}, ${tx.now})`;
  return id;
}

/** Writes what the backend has answered. One that was refused is forgotten: a person may do it on the phone now. */
export async function endPassedAction(tx: Tx, id: string, outcome: 'done' | 'refused' | 'unknown'): Promise<void> {
  if (outcome === 'refused') await run(tx)`delete from message_action where id = ${id}`;
  if (outcome === 'done')
    await run(tx)`
    update message_action set status = ${DONE}, reason = null, ended_at = ${tx.now} where id = ${id}`;
}
