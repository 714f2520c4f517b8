import { z } from 'zod';
import type { NetworkLabel } from '../../../domain/network/network-event.ts';
import { row, run } from '../../engine/rows.ts';
import type { Queries, Tx } from '../../engine/tx.ts';
import { recordAllLabels } from './labels.ts';

/** Reports of the backend keep the labels up to date, so all of them are read again only this often. */
const FRESH_MS = 60 * 60_000;

const StaleRow = z.object({ isStale: z.boolean() });

/** Tells whether the labels of the account's chats are to be read: long ago, or before it was connected anew. */
export async function areLabelsStale(queries: Queries, sessionId: string): Promise<boolean> {
  const found = await row(queries, StaleRow)`
    select i.at is null or i.at < ${new Date(queries.now.getTime() - FRESH_MS)}::timestamptz
      or i.at < s.status_changed_at as "isStale"
    from session s left join label_import i on i.session_id = s.id where s.id = ${sessionId}`;
  return found?.isStale ?? false;
}

/** The labels of an account with their chats, as they were read from `startedAt` on. */
export interface ReadLabels {
  labels: readonly (NetworkLabel & { chatIds: readonly string[] })[];
  startedAt: Date;
}

/** Records what was read. Changes since the read began are newer, and stay. */
export async function importLabels(tx: Tx, sessionId: string, { labels, startedAt }: ReadLabels): Promise<void> {
  const own = labels.map(({ chatIds: _chats, ...label }) => label);
  await recordAllLabels(tx, sessionId, own, startedAt);
  const chats = labels.flatMap(({ id: labelId, chatIds }) => chatIds.map((chatId) => ({ labelId, chatId })));
  await run(tx)`
    with here as (
      select distinct "labelId", "chatId"
      from jsonb_to_recordset(${JSON.stringify(chats)}::jsonb) as h("labelId" text, "chatId" text)
    ), gone as (
      update chat_label c set is_set = false, changed_at = ${tx.now}
      where c.session_id = ${sessionId} and c.is_set and c.changed_at < ${startedAt}
        and not exists (select 1 from here h where h."labelId" = c.label_id and h."chatId" = c.chat_id)
    )
    insert into chat_label as c (session_id, chat_id, label_id, is_set, changed_at)
    select ${sessionId}, "chatId", "labelId", true, ${tx.now}::timestamptz from here order by "chatId", "labelId"
    on conflict (chat_id, session_id, label_id) do update set is_set = true, changed_at = excluded.changed_at
    where not c.is_set and c.changed_at < ${startedAt}`;
  await noteLabelsRead(tx, sessionId, startedAt);
}

/** Notes that the labels were asked for, also where the session's engine has none. */
export async function noteLabelsRead(tx: Tx, sessionId: string, at: Date): Promise<void> {
  await run(tx)`
    insert into label_import (session_id, at) values (${sessionId}, ${at})
    on conflict (session_id) do update set at = excluded.at`;
}
