import { z } from 'zod';
import { mayChange } from '../../../domain/network/message-change.ts';
import type { MessageChange, ChangeOf } from '../../../domain/network/message-change.ts';
import { actionValue } from '../../../domain/sending/message-action.ts';
import type { ActionKind } from '../../../domain/sending/message-action.ts';
import { noteActOfPerson } from '../../sending/runs-taken-over.ts';
import { markReadOnDevice } from '../../conversations/read-marks.ts';
import { jsonParameter } from '../../engine/json-parameter.ts';
import { one, row } from '../../engine/rows.ts';
import type { Tx } from '../../engine/tx.ts';
import { Changed, changedFields, tellChange } from './changed.ts';
import { parkChange, takeOverlookedChanges, takeParkedChanges } from './parked.ts';
import { applyResponse } from './response.ts';
import { applyRevoke } from './revoke.ts';
import { deleteMemoriesOf, lockMemoriesOf } from '../../agent/forget-memory.ts';
import { MAX_LINE_LENGTH } from '../../conversations/conversation.ts';

/** Whether dashboards hear of what is applied; they hear nothing of the past. */
export interface Telling {
  tells: boolean;
}

/**
 * Applies what somebody did to a message, and tells dashboards of it where the message is other than before. A change
 * of a message that has not come is kept until it comes. Safe to repeat, and in any order: what was done last, by its
 * own time, holds. A change that its maker may not make has no effect. True when the message is another than before.
 * Takes the conversation's lock.
 */
export async function applyChange(
  tx: Tx,
  sessionId: string,
  { change, tells }: Telling & { change: MessageChange },
): Promise<boolean> {
  const found = await row(tx, Changed)`
    select id, agency_id as "agencyId", tenant_id as "tenantId", conversation_id as "conversationId",
      chat_id as "chatId", contact_id as "contactId", participant, from_me as "fromMe", is_revoked as "isRevoked",
      is_elsewhere as "isElsewhere"
    from find_changed_message(${sessionId}, ${change.networkId}, ${change.by.chatId})`;
  if (found === undefined) {
    await parkChange(tx, sessionId, change);
    return false;
  }
  if (!mayChange(found, change)) return false;
  const message: Changed = { ...found, sessionId, tells };
  const isOther = await applyTo(tx, message, change);
  if (isOther && tells && (await isByPerson(tx, message, change))) await noteActOfPerson(tx, message.conversationId);
  return isOther;
}

async function applyTo(tx: Tx, message: Changed, change: MessageChange): Promise<boolean> {
  switch (change.kind) {
    case 'read':
      await markReadOnDevice(tx, message.conversationId, message.id);
      return true;
    case 'edited':
      return applyEdit(tx, message, change);
    case 'revoked':
      return applyRevoke(tx, message, change);
    case 'reaction':
    case 'vote':
      return applyResponse(tx, message, change);
  }
}

/** An older action of a person does not show who handles the conversation now. */
const LIVE_MS = 15 * 60_000;

const AskedRow = z.object({ isAsked: z.boolean() });

/**
 * True when a person has just done it on the phone. Reading is nothing that a person says; what the API was asked for
 * counted when it was asked for. Another act on the same message hides nothing.
 */
async function isByPerson(tx: Tx, { id }: Changed, change: MessageChange): Promise<boolean> {
  const { kind, by, at } = change;
  if (!by.fromMe || kind === 'read' || tx.now.getTime() - at > LIVE_MS) return false;
  const asked = askedAs(change);
  if (asked === null) return true;
  const { isAsked } = await one(tx, AskedRow)`
    select exists (select 1 from message_action where message_id = ${id} and kind = ${asked.kind}
      and btrim(coalesce(value, ''), ${BLANKS}::text) = btrim(${asked.value}::text, ${BLANKS}::text)
      and created_at > ${tx.now}::timestamptz - ${LIVE_MS} * interval '1 millisecond') as "isAsked"`;
  return !isAsked;
}

/** A backend may trim the words that it passes on. */
const BLANKS = ' \t\r\n';

/** The action that brings this change about; null where none does. */
function askedAs(change: MessageChange): { kind: ActionKind; value: string } | null {
  switch (change.kind) {
    case 'edited':
      return { kind: 'edit', value: actionValue('edit', change.body) };
    case 'revoked':
      return { kind: 'revoke', value: '' };
    case 'reaction':
      return { kind: 'reaction', value: actionValue('reaction', change.emoji) };
    case 'read':
    case 'vote':
      return null;
  }
}

/**
 * Applies what was done to these messages before they came. The transaction that writes messages calls it behind that.
 */
export async function applyParkedChanges(
  tx: Tx,
  sessionId: string,
  { networkIds, tells }: Telling & { networkIds: readonly string[] },
): Promise<void> {
  if (networkIds.length === 0) return;
  for (const { change } of await takeParkedChanges(tx, sessionId, networkIds)) {
    await applyChange(tx, sessionId, { change, tells });
  }
}

/**
 * Applies changes that were parked in the moment in which another transaction wrote their message and looked for them,
 * so neither saw the other. A record of a send does not look at all.
 */
export async function applyOverlookedChanges(tx: Tx, limit: number): Promise<void> {
  for (const { sessionId, change } of await takeOverlookedChanges(tx, limit)) {
    await applyChange(tx, sessionId, { change, tells: true });
  }
}

const Edited = z.object({ isOther: z.boolean() });

const editJson = jsonParameter(
  { editId: true, unnamedId: true, body: true, at: true, toldAt: true, lineLength: true },
  'edit_message.p',
);

/**
 * Gives a message the words of its newest edit (`changes.sql`). The agent is not told: a turn that has not begun reads
 * the new words, and what was learned from the former ones is forgotten. True when the words are others.
 */
async function applyEdit(tx: Tx, message: Changed, edit: ChangeOf<'edited'>): Promise<boolean> {
  const { id } = message;
  await lockMemoriesOf(tx, [id]);
  const { editId, unnamedId, body, at, toldAt } = edit;
  const times = { at: new Date(at), toldAt: new Date(toldAt) };
  const told = { editId, unnamedId, body, ...times, lineLength: MAX_LINE_LENGTH };
  const { isOther } = await one(tx, Edited)`
    select edit_message(${id}, ${editJson(told)}::jsonb, ${tx.now}) as "isOther"`;
  if (!isOther) return false;
  await deleteMemoriesOf(tx, [id]);
  tellChange(tx, message, {
    event: 'message.edited',
    payload: { ...changedFields(tx, message), body, editedAt: new Date(at).toISOString() },
  });
  return true;
}
