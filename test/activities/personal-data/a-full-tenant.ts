import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../../db/engine/database.ts';
import type { MediaStore } from '../../../domain/sending/media.ts';
import { SCOPE } from '../../db/a-database.ts';
import { rowsOf } from '../../support/rows.ts';

/** A tenant that has rows of every kind that an export has, with as many messages. */
export async function fillTenant(
  database: Database,
  { store, sessionId, messages }: { store: Pick<MediaStore, 'put'>; sessionId: string; messages: number },
): Promise<void> {
  const { agencyId: a, tenantId: t } = SCOPE;
  const file = Buffer.from('a file of the tenant');
  const sha256 = createHash('sha256').update(file).digest('hex');
  const key = `${a}/${sha256}`;
  await store.put(key, file, 'image/png');
  await store.put(`${key}.webp`, Buffer.from('small'), 'image/webp');
  const media = {
    url: 'http://backend/x',
    mimeType: 'image/png',
    fileName: 'a.png',
    error: null,
    stored: { key, sha256, sizeBytes: file.length },
    thumbnail: { sizeBytes: 5, width: 1, height: 1 },
  };
  const picture = { key, sha256, sizeBytes: file.length, mimeType: 'image/png' };
  const statements = [
    sql`update tenant set persona = '{"name": "Zoë"}', settings = '{"country": "DE"}', ai_mode = 'human_takeover'
      where agency_id = ${a} and id = ${t}`,
    sql`insert into label (session_id, id, name, changed_at) values (${sessionId}, '7', 'new', now())`,
    sql`insert into contact (id, agency_id, tenant_id, chat_id, push_name, picture)
      select 'con_' || n, ${a}, ${t}, 1555000 + n || '@c.us', 'Person "' || n || E'"\n', case when n = 1 then ${JSON.stringify(picture)}::jsonb end
      from generate_series(1, 620) n`,
    sql`insert into contact_alias (agency_id, tenant_id, chat_id, contact_id)
      select agency_id, tenant_id, chat_id, id from contact where agency_id = ${a}`,
    sql`insert into erased_address (digest, agency_id, tenant_id, erased_at) values ('\\xab', ${a}, ${t}, now())`,
    sql`insert into deletion_mark (agency_id, tenant_id, kept_since) values (${a}, ${t}, now() - interval '400 days')`,
    sql`insert into contact_merge (agency_id, tenant_id, from_contact_id, into_contact_id, cause, session_id, chat_ids,
        undone_at, apart_from, apart_into)
      values (${a}, ${t}, 'con_5', 'con_6', 'message', ${sessionId}, '{5@lid,6@c.us}', now(), '{5@lid}', '{6@c.us}')`,
    sql`insert into session_contact (session_id, contact_id, name) select ${sessionId}, id, 'saved' from contact`,
    sql`insert into chat_label (session_id, chat_id, label_id, is_set, changed_at)
      select ${sessionId}, chat_id, '7', true, now() from contact limit 3`,
    sql`insert into conversation (id, agency_id, tenant_id, session_id, chat_id, contact_id, last_message_at, epoch)
      select 'cnv_' || n, ${a}, ${t}, ${sessionId}, 1555000 + n || '@c.us', 'con_' || n, now(), 3
      from generate_series(1, 120) n`,
    sql`update conversation set merged_into = 'cnv_1' where id = 'cnv_120'`,
    sql`insert into group_member (conversation_id, chat_id, role) values ('cnv_3', '1555001@c.us', 'member')`,
    sql`insert into handover (conversation_id, at, cause, mode, epoch) values ('cnv_4', now(), 'api', 'human_takeover', 3)`,
    sql`insert into message (id, agency_id, tenant_id, session_id, conversation_id, contact_id, direction, origin, kind, body,
        occurred_at, status, network_id, media, edited_at, responded_at)
      select 'msg_' || n, ${a}, ${t}, ${sessionId}, 'cnv_' || 1 + n % 100, 'con_' || 1 + n % 100, 'in', 'network', 'text',
        'Text ' || n || E' "quoted" \\ \n second', now() - n * interval '1 minute', 'received', 'N' || n,
        case when n % 10 = 0 then ${JSON.stringify(media)}::jsonb end, case when n = 1 then now() end,
        case when n = 1 then now() end
      from generate_series(1, ${messages}) n`,
    sql`insert into message (id, agency_id, tenant_id, session_id, conversation_id, direction, origin, kind, body,
        occurred_at, status, expires_at)
      values ('msg_waits', ${a}, ${t}, ${sessionId}, 'cnv_1', 'out', 'api', 'text', 'later', now(), 'queued',
        now() + interval '1 day')`,
    sql`insert into message_version (message_id, edit_id, body, at, told_at)
      values ('msg_1', 'E1', 'before', now(), now())`,
    sql`insert into message_response (message_id, kind, responder, value, at, told_at)
      values ('msg_1', 'reaction', 'contact', '{👍}', now(), now())`,
    sql`insert into message_history (message_id, at, status)
      select 'msg_' || n, now() - n % 60 * interval '1 day', 'received' from generate_series(1, ${messages}) n`,
    sql`insert into ai_turn (id, agency_id, tenant_id, session_id, conversation_id, up_to_message_id, up_to_at,
        conversation_epoch, tenant_epoch, outcome, reply)
      values ('trn_1', ${a}, ${t}, ${sessionId}, 'cnv_1', 'msg_1', now(), 1, 1, 'reply', 'Hello')`,
    sql`insert into memory (id, agency_id, tenant_id, contact_id, fact, fact_key, category, source, confidence, created_at)
      values ('mem_1', ${a}, ${t}, 'con_1', 'likes tea', 'k1', 'taste', 'me', 0.7, now()),
        ('mem_2', ${a}, ${t}, null, 'opens at nine', 'k2', 'hours', 'me', null, now())`,
    sql`update memory set superseded_by = 'mem_2' where id = 'mem_1'`,
    sql`insert into canned_answer (agency_id, tenant_id, shortcut, text)
      values (${a}, ${t}, 'hours', 'We are open from nine to six.')`,
    sql`insert into note (id, agency_id, tenant_id, contact_id, text, author, created_at, updated_at)
      values ('nte_1', ${a}, ${t}, 'con_1', 'pays late', 'Ada', now(), now())`,
    sql`insert into automation (id, agency_id, tenant_id, definition, enabled, params, trigger, version, created_at, updated_at)
      values ('aut_1', ${a}, ${t}, 'any', true, '{}', '{}', 1, now(), now())`,
  ];
  await rowsOf(
    database,
    sql`select make_partition('message_history', s, 7)
      from generate_series(0, 10) w, partition_starts(current_date - w * 7, 7) s`,
  );
  for (const statement of statements) await rowsOf(database, statement);
}
