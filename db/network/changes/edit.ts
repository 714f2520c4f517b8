import { z } from 'zod';
import type { ChangeOf } from '../../../domain/network/message-change.ts';
import { deleteMemoriesOf, lockMemoriesOf } from '../../agent/forget-memory.ts';
import { MAX_LINE_LENGTH } from '../../conversations/conversation.ts';
import { one } from '../../engine/rows.ts';
import type { Tx } from '../../engine/tx.ts';
import { changedFields, tellChange } from './changed.ts';
import type { Changed } from './changed.ts';

const Edited = z.object({ isOther: z.boolean() });

/**
 * Gives a message the words of its newest edit (`changes.sql`). The agent is not told: a turn that has not begun reads
 * the new words, and what was learned from the former ones is forgotten. True when the words are others.
 */
export async function applyEdit(tx: Tx, message: Changed, edit: ChangeOf<'edited'>): Promise<boolean> {
  const { id } = message;
  await lockMemoriesOf(tx, [id]);
  const { editId, unnamedId, body, at, toldAt } = edit;
  const times = { at: new Date(at), toldAt: new Date(toldAt) };
  const told = { editId, unnamedId, body, ...times, lineLength: MAX_LINE_LENGTH };
  const { isOther } = await one(tx, Edited)`
    select edit_message(${id}, ${JSON.stringify(told)}::jsonb, ${tx.now}) as "isOther"`;
  if (!isOther) return false;
  await deleteMemoriesOf(tx, [id]);
  tellChange(tx, message, {
    event: 'message.edited',
    payload: { ...changedFields(tx, message), body, editedAt: new Date(at).toISOString() },
  });
  return true;
}
