import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { claimMessage } from '../../../db/sending/claim.ts';
import { activateAgency, awaitClaimsBefore, suspendAgency } from '../../../db/tenants/suspension.ts';
import { rowsOf } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { aSentMessage } from '../sending/a-sent-message.ts';

const { database, sessionId } = await databaseOfThisFile();
const { agencyId } = SCOPE;
const BY = { keyId: 'master', reason: 'a test' };

/** A message that may go. */
async function aHead(chatId: string): Promise<string> {
  const { messageId } = await aSentMessage(database, sessionId, { chatId, networkId: randomUUID(), status: 'queued' });
  await rowsOf(
    database,
    sql<object>`update message set released_at = now(), network_id = null, sent_at = null where id = ${messageId}`,
  );
  return messageId;
}

const claim = () => ({ token: randomUUID(), owner: database.wakeups.owner, chosenNetworkId: null });
const suspend = () => database.transaction((tx) => suspendAgency(tx, agencyId, BY));
const activate = () => database.transaction((tx) => activateAgency(tx, agencyId, BY));

describe('a suspension', () => {
  it('that commits while a send is being claimed waits for that claim and names the message', async () => {
    const messageId = await aHead('15550190101@c.us');
    const claimed = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const claiming = database.transaction(async (tx) => {
      const result = await claimMessage(tx, messageId, claim());
      claimed.resolve();
      await goOn.promise;
      return result;
    });
    await claimed.promise;
    const switched = await suspend();
    const waiting = awaitClaimsBefore(database, agencyId, switched?.transaction ?? '');
    // The claim is not visible yet, and still the answer waits for it.
    const first = await Promise.race([waiting, database.wakeups.wait('message', '', 300).then(() => 'it waits')]);
    expect(first).toBe('it waits');
    goOn.resolve();
    expect((await claiming).claim).toBe('claimed');
    expect(await waiting).toEqual([messageId]);
    await activate();
  });

  it('lets no claim through that begins after it, until the agency is active again', async () => {
    const messageId = await aHead('15550190102@c.us');
    const switched = await suspend();
    expect(switched).toMatchObject({ status: 'suspended', hasChanged: true });
    const refused = await database.transaction((tx) => claimMessage(tx, messageId, claim()));
    expect(refused).toMatchObject({ claim: 'not_now', reason: 'suspended' });
    expect(await suspend()).toEqual({ status: 'suspended', hasChanged: false, transaction: null });
    expect(await activate()).toMatchObject({ status: 'active', hasChanged: true });
    expect(await activate()).toMatchObject({ status: 'active', hasChanged: false });
    expect((await database.transaction((tx) => claimMessage(tx, messageId, claim()))).claim).toBe('claimed');
  });

  it('is recorded with its actor and reason, once', async () => {
    const entries = await rowsOf(
      database,
      sql<object>`select action, key_id as key, reason from audit_entry where object = 'dashboard'
        and action <> 'created' order by id`,
    );
    const entry = (action: string) => ({ action, key: 'master', reason: 'a test' });
    expect(entries).toEqual(['suspended', 'activated', 'suspended', 'activated'].map(entry));
  });
});
