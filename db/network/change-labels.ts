import { labelsAfter } from '../../domain/labels.ts';
import type { LabelMode } from '../../domain/labels.ts';
import type { Database } from '../engine/database.ts';
import { tellLabels } from './label-event.ts';
import { recordChatLabels } from '../conversations/labels/labels.ts';
import type { ChatPlace } from '../conversations/labels/labels.ts';

interface LabelChange {
  mode: LabelMode;
  given: readonly string[];
  /** The labels that the account has. */
  known: readonly string[];
  /** Asks the network which labels the chat has. */
  read: () => Promise<string[]>;
  /** Has the network set all labels of the chat; answers when that was, by its clock. */
  set: (labelIds: readonly string[]) => Promise<Date | null>;
}

/**
 * Changes the labels of a chat at its network, records them and tells of them; answers those that it has then. The
 * caller has the right to the chat's labels (`label-lease.ts`). Labels that the chat already has are not set again.
 */
export async function changeLabels(
  database: Pick<Database, 'transaction'>,
  place: ChatPlace,
  { mode, given, known, read, set }: LabelChange,
): Promise<string[]> {
  const before = mode === 'replace' ? null : await read();
  const after = labelsAfter(mode, { before: before ?? [], given, known });
  const isChange = before === null || !isSame(before, after);
  const setAt = isChange ? await set(after) : null;
  await database.transaction(async (tx) => {
    const added = after.filter((id) => !before?.includes(id));
    if (await recordChatLabels(tx, place, after, setAt)) await tellLabels(tx, place, added);
  });
  return after;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id) => other.includes(id));
}
