import { describe, expect, it } from '@jest/globals';
import { setOptOut } from '../../../db/automations/opt-out.ts';
import { unmergeContact } from '../../../db/network/unmerge/unmerge.ts';
import { acceptSend } from '../../../db/sending/accept.ts';
import { whileLocked } from '../../support/locked.ts';
import { findRow } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { anAgent } from '../agent/a-turn.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { aPerson } from './a-person.ts';

const { database, sessionId } = await databaseOfThisFile();
const agent = anAgent(database, sessionId);
const person = aPerson(database, sessionId);
const scope = { ...SCOPE, sessionId };

const sendTo = (conversationId: string) =>
  database.transaction((tx) =>
    acceptSend(tx, scope, {
      recipient: { conversationId },
      parts: [{ kind: 'text', body: 'Hello' }],
      origin: 'api',
      expires: { afterMs: 3_600_000 },
    }),
  );

describe('a send to the id of a conversation that became another one', () => {
  it('ends at once where the person of that other one has opted out', async () => {
    const people = await person.twoPeople(agent);
    await person.join(people);
    await database.transaction((tx) => setOptOut(tx, people.into, { isOptedOut: true, by: 'request' }));
    expect(await sendTo(people.a)).toMatchObject({ outcome: 'accepted', ended: 'opted_out' });
    expect(await sendTo(people.b)).toMatchObject({ outcome: 'accepted', ended: 'opted_out' });
  });

  it('goes to its own person if the merge ends while the send waits for the lock', async () => {
    const people = await person.twoPeople(agent);
    await person.join(people);
    const sent = await whileLocked(database, {
      work: (tx) => unmergeContact(tx, SCOPE.agencyId, people.from),
      meanwhile: () => sendTo(people.b),
    });
    if (sent.outcome !== 'accepted') throw new Error(`It was not accepted: ${sent.outcome}.`);
    expect(await findRow(database, 'message', { id: sent.messageId }, ['conversationId', 'contactId'])).toEqual({
      conversationId: people.b,
      contactId: people.from,
    });
  });
});
