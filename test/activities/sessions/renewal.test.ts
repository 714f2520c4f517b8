import { describe, expect, it } from '@jest/globals';
import { createRenewal } from '../../../activities/sessions/sessions.ts';
import { addMessage, addRow, changeRows, databaseNow } from '../../support/rows.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';

const { database, session } = await databaseOfThisFile();

describe('a session that the previous release has made', () => {
  it('waits for its turn, and then is subscribed to what is new', async () => {
    expect(await createRenewal(database, 60 * 60_000)(session)).toBe(true);
    expect(await createRenewal(database, 0)(session)).toBe(false);
  });

  it('waits while one of its sends is on its way', async () => {
    const of = { agencyId: session.agencyId, tenantId: session.tenantId, sessionId: session.id };
    await addRow(database, 'conversation', { ...of, id: 'cnv_renewal', chatId: '15550120001@c.us' });
    await addMessage(database, 'cnv_renewal', {
      id: 'msg_renewal',
      direction: 'out',
      origin: 'api',
      body: 'Hi',
      status: 'sending',
      claimedAt: databaseNow,
    });
    const mustWait = createRenewal(database, 0);
    expect(await mustWait(session)).toBe(true);
    await changeRows(database, 'message', { status: 'sent' }, { id: 'msg_renewal' });
    expect(await mustWait(session)).toBe(false);
  });
});
