import type { Scope } from '../../../domain/scope.ts';
import { mayBeDone } from '../../../domain/sending/message-action.ts';
import type { ActionKind, ActionReason, ActionStatus } from '../../../domain/sending/message-action.ts';
import { noteActOfPerson } from '../runs-taken-over.ts';
import { findMessageIdByNetworkId } from '../../conversations/message.ts';
import { newId } from '../../engine/new-id.ts';
import { run } from '../../engine/rows.ts';
import type { Tx } from '../../engine/tx.ts';
import { lockActedMessage } from './accept-action.ts';

/** An edit, a deletion or a reaction by a route of the backend. */
export interface PassedAction {
  scope: Scope & { sessionId: string };
  networkId: string;
  kind: ActionKind;
  /** The new words, or the emoji. */
  value: string | null;
  isByPerson: boolean;
  keyId: string;
}

/** An action that is passed on, and the message that it is done to. */
export interface NotedAction extends PassedAction {
  id: string;
  messageId: string;
}

interface End {
  status: ActionStatus;
  reason: ActionReason | null;
}

const UNKNOWN: End = { status: 'uncertain', reason: 'outcome_unknown' };
const DONE: End = { status: 'done', reason: null };

/**
 * Notes a bot's action before it is passed on, so that its echo does not count as a person's. A person's gets no note
 * yet: its echo may count, also if this process ends before the backend answers. The note is an ended one, so no
 * workflow repeats it. Null for a message that the engine does not have, and for what the network certainly refuses; a
 * person's action is also refused when it comes too late.
 */
export async function notePassedAction(tx: Tx, action: PassedAction): Promise<NotedAction | null> {
  const { scope, networkId, kind, isByPerson } = action;
  const found = await findMessageIdByNetworkId(tx, scope, networkId);
  const message = found === null ? null : await lockActedMessage(tx, scope, found);
  if (message === null) return null;
  // Only the network knows its time limit. A bot's note explains the echo of what it allows, and a refusal deletes it.
  const saidAt = isByPerson ? message.saidAt : tx.now;
  if (!mayBeDone(kind, { ...message, saidAt }, tx.now)) return null;
  const noted = { ...action, id: newId('act'), messageId: message.messageId };
  if (!isByPerson) await writeNote(tx, noted, UNKNOWN);
  return noted;
}

/**
 * Writes the backend's answer. A refused action leaves no note: a person may do it on the phone now. A person's action
 * ends the runs of the conversation, as our own routes do, unless it was refused.
 */
export async function endPassedAction(
  tx: Tx,
  noted: NotedAction,
  outcome: 'done' | 'refused' | 'unknown',
): Promise<void> {
  const { id, scope, isByPerson, messageId } = noted;
  if (!isByPerson) {
    if (outcome === 'refused') await run(tx)`delete from message_action where id = ${id}`;
    if (outcome === 'done')
      await run(tx)`
      update message_action set status = ${DONE.status}, reason = null, ended_at = ${tx.now} where id = ${id}`;
    return;
  }
  if (outcome === 'refused') return;
  const message = await lockActedMessage(tx, scope, messageId);
  if (message === null) return;
  await noteActOfPerson(tx, message.conversationId);
  await writeNote(tx, { ...noted, messageId: message.messageId }, outcome === 'done' ? DONE : UNKNOWN);
}

async function writeNote(tx: Tx, noted: NotedAction, { status, reason }: End): Promise<void> {
  const { id, scope, messageId, kind, value, keyId } = noted;
  await run(tx)`
    insert into message_action (id, agency_id, tenant_id, session_id, message_id, kind, value, status, reason, attempts,
      key_id, created_at, expires_at, promised_at, ended_at)
    values (${id}, ${scope.agencyId}, ${scope.tenantId}, ${scope.sessionId}, ${messageId}, ${kind}, ${value},
      ${status}, ${reason}, 1, ${keyId}, ${tx.now}, ${tx.now}, ${tx.now}, ${tx.now})`;
}
