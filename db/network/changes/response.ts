import { z } from 'zod';
import { shownAddress } from '../../../domain/network/chat-id.ts';
import type { ChangedBy, ChangeOf } from '../../../domain/network/message-change.ts';
import { ACCOUNT, CONTACT, UNKNOWN } from '../../../domain/network/responder.ts';
import { jsonParameter } from '../../engine/json-parameter.ts';
import { one } from '../../engine/rows.ts';
import type { Tx } from '../../engine/tx.ts';
import { changedFields, tellChange } from './changed.ts';
import type { Changed } from './changed.ts';

type Response = ChangeOf<'reaction'> | ChangeOf<'vote'>;

const Responded = z.object({ isOther: z.boolean() });

const responseJson = jsonParameter(
  { kind: true, value: true, addresses: true, at: true, toldAt: true },
  'respond_to_message.p',
);

/**
 * Keeps a reaction or a vote; the latest of each person counts (`changes.sql`). True when the message shows another one
 * now.
 */
export async function applyResponse(tx: Tx, message: Changed, change: Response): Promise<boolean> {
  const { kind, at, toldAt } = change;
  const value = valueOf(change);
  const addresses = respondersOf(message, change.by);
  const told = { kind, value, addresses, at: new Date(at), toldAt: new Date(toldAt) };
  const { isOther } = await one(tx, Responded)`
    select respond_to_message(${message.id}, ${responseJson(told)}::jsonb, ${tx.now}) as "isOther"`;
  if (!isOther) return false;
  const { fromMe } = change.by;
  const who = {
    ...changedFields(tx, message),
    by: { fromMe, from: fromOf(message, change.by) },
    at: new Date(at).toISOString(),
  };
  if (change.kind === 'vote') {
    tellChange(tx, message, { event: 'message.vote', payload: { ...who, options: change.options } });
  } else {
    const emoji = change.emoji === '' ? null : change.emoji;
    tellChange(tx, message, { event: 'message.reaction', payload: { ...who, emoji } });
  }
  return true;
}

/**
 * Returns the current responses of a person to a message. It is empty after a removal, and null if the backend cannot
 * read it.
 */
export function valueOf(change: Response): string[] | null {
  if (change.kind === 'vote') return change.options;
  return change.emoji === '' ? [] : [change.emoji];
}

/** The words under which a row may know who has responded (`domain/network/responder.ts`), a new row by the first. */
export function respondersOf(
  { isGroup }: Pick<Changed, 'isGroup'>,
  { fromMe, participant, aliases }: ChangedBy,
): string[] {
  if (fromMe) return [ACCOUNT];
  if (!isGroup) return [CONTACT];
  return participant === null ? [UNKNOWN] : [participant, ...aliases];
}

function fromOf({ chatId, isGroup }: Changed, { fromMe, participant, aliases }: ChangedBy): string | null {
  if (fromMe) return null;
  if (!isGroup) return shownAddress(chatId, ...aliases);
  return participant === null ? null : shownAddress(participant, ...aliases);
}
