import { describe, expect, it } from '@jest/globals';
import { setOptOut } from '../../../db/automations/opt-out.ts';
import { findErasure } from '../../../db/personal-data/erasure.ts';
import { sweepRetention } from '../../../db/personal-data/retention.ts';
import { updateSettings } from '../../../db/tenants/settings.ts';
import {
  addRow,
  ago,
  changeRows,
  countRows,
  databaseNow,
  deleteRows,
  findRows,
  json,
  not,
} from '../../support/rows.ts';
import { anAgent } from '../agent/a-turn.ts';
import { SCOPE } from '../a-database.ts';
import { aPerson } from '../conversations/a-person.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { listedBy, repair } from './run-repair.ts';

const { database, sessionId } = await databaseOfThisFile();
const agent = anAgent(database, sessionId);
const person = aPerson(database, sessionId);

const isOut = async (contactId: string) =>
  (await countRows(database, 'contact', { id: contactId, optedOutAt: not(null) })) > 0;

describe('a repair', () => {
  it('finds an erasure that has erased nothing, and erases the person when it is named', async () => {
    const people = await person.twoPeople(agent);
    await addRow(database, 'erasure', {
      id: 'era_empty',
      agencyId: SCOPE.agencyId,
      tenantId: SCOPE.tenantId,
      contactId: people.from,
      keyId: 'key',
      createdAt: databaseNow,
    });
    await agent.write(people.hidden, 'names both', { aliases: [people.phone] });
    // As the previous release has left it: the contact that went is deleted, and the ledger with it.
    await changeRows(database, 'conversation', { unfinishedMerge: null });
    await deleteRows(database, 'mergeMove');
    await deleteRows(database, 'contactMerge');
    await deleteRows(database, 'contact', { id: people.from });
    await changeRows(
      database,
      'erasure',
      { step: 'done', endedAt: databaseNow, report: json({ event: 2, contact: 1, merge_move: 5, contact_merge: 1 }) },
      { id: 'era_empty' },
    );
    await agent.write(agent.person(), 'of somebody else');
    expect(await listedBy(database, 'empty-erasures')).toEqual([`era_empty ${people.into}`]);
    const begun = () => countRows(database, 'erasure', { contactId: people.into, endedAt: null });
    const { said } = await repair(database);
    expect(said.at(-1)).toMatch(/^empty-erasures +left as it is.*--repair empty-erasures$/);
    expect(await begun()).toBe(0);
    await repair(database, 'empty-erasures');
    expect(await begun()).toBe(1);
    expect((await repair(database, 'empty-erasures')).wrong).toBe(0);
    expect(await begun()).toBe(1);
    expect((await database.read((queries) => findErasure(queries, 'era_empty')))?.step).toBe('done');
  });

  it('finds the opt-outs that the end of a merge has left with the wrong contact', async () => {
    const [since, before, right, again] = [
      await person.twoPeople(agent),
      await person.twoPeople(agent),
      await person.twoPeople(agent),
      await person.twoPeople(agent),
    ];
    const stop = (contactId: string) =>
      database.transaction((tx) => setOptOut(tx, contactId, { isOptedOut: true, by: 'word' }));
    const goOn = (contactId: string) =>
      database.transaction((tx) => setOptOut(tx, contactId, { isOptedOut: false, by: 'word' }));
    await stop(before.from);
    await stop(right.into);
    const stops = await findRows(database, 'contact', { id: before.from }, { at: 'optedOutAt' });
    for (const people of [since, before, right, again]) await person.join(people);
    await stop(since.into);
    await stop(again.into);
    for (const people of [since, before, right, again]) await person.unmerge(people.from);
    // As the previous release has left them.
    await changeRows(database, 'contact', { optedOutAt: null, optedOutBy: null }, { id: since.from });
    await changeRows(
      database,
      'contact',
      { optedOutAt: stops[0]?.at ?? null, optedOutBy: 'word' },
      { id: before.into },
    );
    // This one wants messages again.
    await goOn(again.from);
    expect((await listedBy(database, 'forgotten-stops')).toSorted()).toEqual([since.from, before.into].toSorted());
    await repair(database);
    expect([await isOut(since.from), await isOut(since.into)]).toEqual([true, true]);
    expect([await isOut(before.from), await isOut(before.into)]).toEqual([true, false]);
    expect([await isOut(again.from), await isOut(again.into)]).toEqual([false, true]);
    expect(await listedBy(database, 'forgotten-stops')).toEqual([]);
    await goOn(since.from);
    await repair(database);
    expect(await isOut(since.from)).toBe(false);
  });

  it('finds messages that an audit has brought back, and has the retention delete them', async () => {
    const conversationId = await agent.write(agent.person(), 'came back');
    await database.transaction((tx) => updateSettings(tx, SCOPE, { messageRetentionDays: 1 }));
    await changeRows(database, 'message', { occurredAt: ago({ days: 3 }) }, { conversationId });
    await changeRows(database, 'retentionSweep', { endedAt: databaseNow });
    expect(await listedBy(database, 'returned-messages')).toEqual([`${SCOPE.agencyId} ${SCOPE.tenantId} 1 messages`]);
    await repair(database);
    expect((await repair(database, 'returned-messages')).wrong).toBe(0);
    while ((await database.transaction((tx) => sweepRetention(tx, 100))) === 100);
    expect(await listedBy(database, 'returned-messages')).toEqual([]);
    expect(await countRows(database, 'message', { conversationId })).toBe(0);
  });
});
