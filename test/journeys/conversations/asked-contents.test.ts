import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anAgencyWithScopedKey } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { anAnsweredSession } from './reports.ts';
import { listedBy, repair } from '../../db/repairs/run-repair.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { ownerWrites, personWrites } from '../../support/sandbox-record.ts';
import {
  changeRows,
  countRows,
  deleteRows,
  earlier,
  findRow,
  findRows,
  fromNow,
  has,
  json,
  like,
  not,
  untilCount,
} from '../../support/rows.ts';

describe('./engine doctor --repair, for messages whose content only the backend has', () => {
  let engine: TestEngine;
  let agency: Agency;

  beforeAll(async () => {
    engine = await startEngine();
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'asks' });
    // The first reading of the account's past, and the ones that follow it, would fill the rows, too.
    await untilCount(engine.database, 'historySync', { finishedAt: not(null) });
    await changeRows(engine.database, 'historySync', { nextAt: fromNow({ days: 1 }) });
  });
  afterAll(() => engine.close());

  /** As a release left it that dropped the second report: a row without content, and its raw events are gone. */
  async function leaveEmpty(networkId: string, content: object | null = null): Promise<string> {
    await untilCount(engine.database, 'message', { networkId });
    await deleteRows(engine.database, 'backendEvent', { body: like(`%${networkId}%`) });
    const empty = { kind: 'other', body: '', media: null, content: content === null ? null : json(content) };
    await changeRows(engine.database, 'message', empty, { networkId });
    return (await findRow(engine.database, 'message', { networkId }, ['id'])).id;
  }

  const bodyOf = async (id: string) => (await findRows(engine.database, 'message', { id }, ['body']))[0]?.body;

  it('asks it once for the chats that hold them, fills them, and lists what it cannot give no more', async () => {
    const { name } = agency.session;
    const [phone, other] = ['15557100201', '15557100202'];
    const stub = await personWrites(engine, name, { from: phone, text: 'The words behind the stub' });
    const template = await personWrites(engine, name, { from: phone, text: 'The words of a template' });
    const fine = await personWrites(engine, name, { from: other, text: 'All is there' });
    const lost = await personWrites(engine, name, { from: phone, text: 'Gone at the backend' });
    const mine = await ownerWrites(engine, name, { to: phone, text: 'From my phone' });
    await untilCount(engine.database, 'parkedOwnMessage', { networkId: mine });
    await changeRows(engine.database, 'parkedOwnMessage', { parkedAt: earlier({ seconds: 11 }) });
    // Its adoption writes the row, which it must not fill again.
    await untilCount(engine.database, 'parkedOwnMessage', {}, 0);
    const ids = await Promise.all([
      leaveEmpty(stub),
      leaveEmpty(template, { unsupported: 'templateMessage' }),
      leaveEmpty(mine),
      leaveEmpty(lost, { contentState: 'missing' }),
    ]);
    await untilCount(engine.database, 'message', { networkId: fine });
    // The backend has it under no id any more.
    await changeRows(engine.database, 'message', { networkId: 'NOT-THERE' }, { id: ids[3] });
    expect(await listedBy(engine.database, 'unread-contents')).toEqual(ids.toSorted());
    const { said } = await repair(engine.database, 'unread-contents');
    expect(said.at(-1)).toMatch(/^unread-contents +asked the backend/);
    await eventually(async () => (await bodyOf(ids[0] ?? '')) === 'The words behind the stub');
    await eventually(async () => (await bodyOf(ids[1] ?? '')) === 'The words of a template');
    await eventually(async () => (await bodyOf(ids[2] ?? '')) === 'From my phone');
    const withState = { sessionId: agency.session.id, content: has('contentState') };
    expect(await countRows(engine.database, 'message', withState)).toBe(1);
    expect((await repair(engine.database, 'unread-contents')).wrong).toBe(0);
  });

  it('reads a merged chat under each of its addresses', async () => {
    const shop = await anAnsweredSession(engine, 'asks-merged');
    const { name } = shop.agency.session;
    await untilCount(engine.database, 'historySync', { finishedAt: not(null) }, 2);
    await changeRows(engine.database, 'historySync', { nextAt: fromNow({ days: 1 }) });
    const [first, second] = ['525557100204', '5215557100204'];
    const stub = await personWrites(engine, name, { from: first, text: 'Under the first spelling' });
    const both = await personWrites(engine, name, { from: first, text: 'Under both' });
    await untilCount(engine.database, 'message', { networkId: both });
    // The network shows the message under the other spelling too, so that the two are one chat.
    await shop.tell({ id: `false_${second}@c.us_${both}`, from: `${second}@c.us`, body: 'Under both' });
    await personWrites(engine, name, { from: second, text: 'Under the second spelling' });
    const chat = await shop.chat(`${second}@c.us`);
    expect(await countRows(engine.database, 'message', { networkId: stub, conversationId: String(chat['id']) })).toBe(
      1,
    );
    const id = await leaveEmpty(stub);
    expect(await listedBy(engine.database, 'unread-contents')).toEqual([id]);
    await repair(engine.database, 'unread-contents');
    await eventually(async () => (await bodyOf(id)) === 'Under the first spelling');
  });

  it('asks no backend whose session does not work', async () => {
    const networkId = await personWrites(engine, agency.session.name, { from: '15557100203', text: 'Later' });
    await leaveEmpty(networkId);
    await changeRows(engine.database, 'session', { status: 'STOPPED' }, { id: agency.session.id });
    expect(await listedBy(engine.database, 'unread-contents')).toEqual([]);
  });
});
