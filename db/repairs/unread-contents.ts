import { sql } from 'kysely';
import { z } from 'zod';
import { WORKING } from '../../domain/sessions/session.ts';
import { rows } from '../engine/rows.ts';
import { promiseConversationSync } from '../sessions/session-workflow.ts';
import { IS_EMPTY, reportsOf } from './empty-message.ts';
import { foundBy } from './repair.ts';
import type { Repair } from './repair.ts';

/** A chat is read so far beyond the oldest message that lacks its content, for the backend lists more than messages. */
const BEYOND = 50;
/** A chat is read no further than this. */
const MAX_DEPTH = 5_000;
/** One run asks for this many chats, to spare the backends; the next one asks for the rest. */
const CHATS_AT_ONCE = 1_000;

/** Messages without content that no raw event has, in sessions whose backend can be asked. Each is asked for once. */
const UNREAD = sql`select m.id, m.session_id, m.conversation_id, m.occurred_at
  from message m join session s on s.id = m.session_id
  where ${IS_EMPTY} and m.content_asked_at is null and s.status = ${WORKING} and s.wish = 'running'
    and s.deleted_at is null and not exists (select 1 from awaited_content a where a.message_id = m.id)
    and (${reportsOf(sql`true`)}) < 2`;

const Chat = z.object({ sessionId: z.string(), conversationId: z.string(), depth: z.int() });

/**
 * Messages that stayed empty and whose content no raw event has any more. The engine reads their chats again, which
 * fills the rows of what the backend has.
 */
export const unreadContents: Repair = {
  name: 'unread-contents',
  title: 'messages without content that the backend may have',
  mended: 'asked the backend: the engine reads these chats again',
  find: (queries) => foundBy(queries, sql`select unread.id as line from (${UNREAD}) unread`),
  async mend(tx) {
    const chats = await rows(tx, Chat)`
      with chat as (
        select session_id, conversation_id, min(occurred_at) as since from (${UNREAD}) unread
        group by 1, 2 order by 3 desc limit ${CHATS_AT_ONCE}
      ), asked as (
        update message m set content_asked_at = ${tx.now}::timestamptz
        from (${UNREAD}) unread join chat c using (conversation_id)
        where m.id = unread.id
      )
      select session_id as "sessionId", conversation_id as "conversationId", least(${MAX_DEPTH}, ${BEYOND} + (
        select count(*) from message m where m.conversation_id = chat.conversation_id
          and m.occurred_at >= chat.since))::int as depth
      from chat`;
    for (const chat of chats) await promiseConversationSync(tx, chat);
  },
};
