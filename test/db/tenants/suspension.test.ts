import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { claimMessage } from '../../../db/sending/claim.ts';
import { activateAgency, awaitClaimsBefore, suspendAgency } from '../../../db/tenants/suspension.ts';
import { atMost, changeRows, databaseNow, earlier, findRows, not } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { aSentMessage } from '../sending/a-sent-message.ts';

const { database, sessionId } = await databaseOfThisFile();
const { agencyId } = SCOPE;
const BY = { keyId: 'master', reason: 'a test' };

/** A message that may go. */
async function aHead(chatId: string): Promise<string> {
  const { messageId } = await aSentMessage(database, sessionId, { chatId, networkId: randomUUID(), status: 'queued' });
  await changeRows(database, 'message', { releasedAt: databaseNow, networkId: null, sentAt: null }, { id: messageId });
  return messageId;
}

const claim = () => ({ token: randomUUID(), owner: database.wakeups.owner, chosenNetworkId: null });
const suspend = () => database.transaction((tx) => suspendAgency(tx, agencyId, BY));
const activate = () => database.transaction((tx) => activateAgency(tx, agencyId, BY));

/** A claim whose transaction has claimed the message, and commits when it is told to. */
async function aClaimUnderWay(messageId: string) {
  const claimed = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const claiming = database.transaction(async (tx) => {
    const result = await claimMessage(tx, messageId, claim());
    claimed.resolve();
    await goOn.promise;
    return result;
  });
  await claimed.promise;
  return { claiming, commitIt: goOn.resolve };
}

describe('a suspension', () => {
  it('waits for a claim that began after its transaction and before its commit', async () => {
    const messageId = await aHead('15550190100@c.us');
    const begun = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    const suspending = database.transaction(async (tx) => {
      await suspendAgency(tx, agencyId, BY);
      begun.resolve();
      await commit.promise;
    });
    await begun.promise;
    const { claiming, commitIt } = await aClaimUnderWay(messageId);
    commit.resolve();
    await suspending;
    const waiting = awaitClaimsBefore(database, agencyId);
    const first = await Promise.race([waiting, database.wakeups.wait('message', '', 300).then(() => 'it waits')]);
    expect(first).toBe('it waits');
    commitIt();
    expect((await claiming).claim).toBe('claimed');
    expect(await waiting).toEqual([messageId]);
    await activate();
  });

  it('that commits while a send is being claimed waits for that claim and names the message', async () => {
    const messageId = await aHead('15550190101@c.us');
    const { claiming, commitIt } = await aClaimUnderWay(messageId);
    await suspend();
    const waiting = awaitClaimsBefore(database, agencyId);
    // The claim is not visible yet, and still the answer waits for it.
    const first = await Promise.race([waiting, database.wakeups.wait('message', '', 300).then(() => 'it waits')]);
    expect(first).toBe('it waits');
    commitIt();
    expect((await claiming).claim).toBe('claimed');
    expect(await waiting).toContain(messageId);
    await activate();
  });

  it('lets no claim through that begins after it, until the agency is active again', async () => {
    const messageId = await aHead('15550190102@c.us');
    const switched = await suspend();
    expect(switched).toMatchObject({ status: 'suspended', hasChanged: true });
    const refused = await database.transaction((tx) => claimMessage(tx, messageId, claim()));
    expect(refused).toMatchObject({ claim: 'not_now', reason: 'suspended' });
    expect(await suspend()).toEqual({ status: 'suspended', hasChanged: false });
    expect(await activate()).toMatchObject({ status: 'active', hasChanged: true });
    expect(await activate()).toMatchObject({ status: 'active', hasChanged: false });
    expect((await database.transaction((tx) => claimMessage(tx, messageId, claim()))).claim).toBe('claimed');
  });

  it('ends with old replies of the agent unsent: they expire, and what a person wrote goes', async () => {
    const [old, fresh, human] = [
      await aHead('15550190104@c.us'),
      await aHead('15550190105@c.us'),
      await aHead('15550190106@c.us'),
    ];
    await suspend();
    await changeRows(database, 'message', { origin: 'ai' }, { id: [old, fresh] });
    await changeRows(database, 'message', { createdAt: earlier({ minutes: 1 }) }, { id: fresh });
    await changeRows(database, 'message', { createdAt: earlier({ minutes: 16 }) }, { id: [old, human] });
    await activate();
    const expired = await findRows(database, 'message', { expiresAt: atMost(databaseNow), id: [old, fresh, human] }, [
      'id',
    ]);
    expect(expired).toEqual([{ id: old }]);
  });

  it('is recorded with its actor and reason, once', async () => {
    const entries = await findRows(
      database,
      'auditEntry',
      { object: 'dashboard', action: not('created') },
      { action: 'action', key: 'keyId', reason: 'reason' },
      'id',
    );
    const entry = (action: string) => ({ action, key: 'master', reason: 'a test' });
    expect(entries).toEqual(Array.from({ length: 4 }, () => ['suspended', 'activated'].map(entry)).flat());
  });
});
