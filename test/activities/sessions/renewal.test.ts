import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { createRenewal } from '../../../activities/sessions/renewal.ts';
import { changeRows, rowsOf } from '../../support/rows.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';

const { database, session } = await databaseOfThisFile();

describe('a session that the previous release has made', () => {
  it('waits for its turn, and then is subscribed to what is new', async () => {
    expect(await createRenewal(database, 60 * 60_000)(session)).toBe(true);
    expect(await createRenewal(database, 0)(session)).toBe(false);
  });

  it('waits while one of its sends is on its way', async () => {
    await rowsOf(
      database,
      sql`with talk as (insert into conversation (id, agency_id, tenant_id, session_id, chat_id)
          values ('cnv_renewal', ${session.agencyId}, ${session.tenantId}, ${session.id}, '15550120001@c.us') returning id)
        insert into message (id, agency_id, tenant_id, session_id, conversation_id, direction, origin, kind, body,
          occurred_at, status, claimed_at)
        select 'msg_renewal', ${session.agencyId}, ${session.tenantId}, ${session.id}, id, 'out', 'api', 'text', 'Hi',
          now(), 'sending', now() from talk`,
    );
    const mustWait = createRenewal(database, 0);
    expect(await mustWait(session)).toBe(true);
    await changeRows(database, 'message', { status: 'sent' }, { id: 'msg_renewal' });
    expect(await mustWait(session)).toBe(false);
  });
});
