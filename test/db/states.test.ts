import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import type { Database } from '../../db/engine/database.ts';
import { CHAT_STATUSES, isSentByEngine, MESSAGE_ORIGINS, MESSAGE_STATUSES } from '../../domain/sending/message.ts';
import { chatKind } from '../../domain/network/chat-id.ts';
import { wasSent } from '../../domain/sending/message-state.ts';
import { FAILED, SCAN_QR_CODE, WORKING } from '../../domain/sessions/session.ts';
import { AGENCY_STATUSES } from '../../domain/tenants/dashboard.ts';
import { planOf, rowsOf } from '../support/rows.ts';
import { aDatabase } from './a-database.ts';

const ADDRESSES = ['4915112345678@c.us', '123456789012345@lid', '120363000000000000@g.us', 'status@broadcast'];
const SESSION_STATUSES = [WORKING, FAILED, SCAN_QR_CODE, 'a status that only the backend knows'];

describe('the rules of states in SQL', () => {
  let database: Database;
  beforeAll(async () => {
    database = await aDatabase();
  });
  afterAll(() => database.close());

  async function holdsFor(rule: string, values: readonly string[]): Promise<string[]> {
    const rows = await rowsOf(
      database,
      sql<{ value: string }>`
        select value from unnest(${values}::text[]) with ordinality given(value, place)
        where ${sql.raw(rule)}(value) order by place`,
    );
    return rows.map(({ value }) => value);
  }

  it('hold was_sent for the same states as TypeScript', async () => {
    expect(await holdsFor('was_sent', MESSAGE_STATUSES)).toEqual(MESSAGE_STATUSES.filter(wasSent));
  });

  it('hold was_said for what was sent and for what was received', async () => {
    const said = CHAT_STATUSES.filter((status) => status === 'received' || wasSent(status));
    expect(await holdsFor('was_said', CHAT_STATUSES)).toEqual(said);
  });

  it('hold is_sent_by_engine for the same origins as TypeScript', async () => {
    expect(await holdsFor('is_sent_by_engine', MESSAGE_ORIGINS)).toEqual(MESSAGE_ORIGINS.filter(isSentByEngine));
  });

  it('know the kinds of an address as TypeScript does', async () => {
    const ofKind = (kind: string): string[] => ADDRESSES.filter((address) => chatKind(address) === kind);
    expect(await holdsFor('is_phone', ADDRESSES)).toEqual(ofKind('phone'));
    expect(await holdsFor('is_hidden', ADDRESSES)).toEqual(ofKind('lid'));
    expect(await holdsFor('is_group', ADDRESSES)).toEqual(ofKind('group'));
  });

  it('let a session send that works, in an agency that is not suspended', async () => {
    expect(await holdsFor('is_working', SESSION_STATUSES)).toEqual([WORKING]);
    expect(await holdsFor('is_suspended', AGENCY_STATUSES)).toEqual(['suspended']);
    const rows = await rowsOf(
      database,
      sql`select s.status as session, a.status as agency
        from unnest(${SESSION_STATUSES}::text[]) s(status), unnest(${AGENCY_STATUSES}::text[]) a(status)
        where may_send(s.status, a.status)`,
    );
    expect(rows).toEqual([
      { session: WORKING, agency: 'registered' },
      { session: WORKING, agency: 'active' },
    ]);
  });

  it('become part of the statements that call them, so that their plans are those of the rules written out', async () => {
    const plan = await rowsOf(
      database,
      sql<{ 'QUERY PLAN': string }>`
        explain (costs off) select 1 from message m join session s on s.id = m.session_id join agency a on a.id = m.agency_id
          join conversation c on c.id = m.conversation_id
        where was_sent(m.status) and was_said(m.status) and is_sent_by_engine(m.origin) and may_send(s.status, a.status)
          and (is_phone(c.chat_id) or is_hidden(c.chat_id) or is_group(c.chat_id))`,
    );
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toContain(`status = ANY ('{sent,delivered,read,played}'::text[])`);
    for (const rule of 'was_sent was_said is_sent_by_engine may_send is_working is_suspended'.split(' '))
      expect(text).not.toContain(rule);
    for (const rule of ['is_phone', 'is_hidden', 'is_group']) expect(text).not.toContain(rule);
  });

  it('leave partial indexes in use', async () => {
    const query = sql`select id from message where session_id = 's' and direction = 'out' and status = 'queued'
      and is_sent_by_engine(origin) order by session_id desc, status desc, id desc limit 1`;
    expect(await planOf(database, query)).toContain('message_not_sent');
  });
});
