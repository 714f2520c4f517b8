import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { claimDispatches } from '../../../db/dispatch.ts';
import { PRIORITY } from '../../../domain/names.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { eventually } from '../../support/eventually.ts';
import { addRow, ago, changeRows } from '../../support/rows.ts';
import { aSender, somebody } from './a-sender.ts';
import type { Sender } from './a-sender.ts';

const api = await apiOfThisFile('shedding-after-break');
const send = (sender: Sender) => sender.post('/api/v1/messages/send', { to: somebody(), text: 'Hello' });
/** As a dispatcher that takes one promise and leaves the others. */
const takeOne = () =>
  api.database.transaction((tx) => claimDispatches(tx, { token: randomUUID(), size: 1, leaseMs: 600_000 }));

/** Work of the agency that nobody has started for an hour. */
const promiseOld = async (agencyId: string): Promise<void> => {
  await addRow(api.database, 'dispatch', {
    workflowType: 'deliverMessage',
    workflowId: `message/${randomUUID()}`,
    action: 'start',
    priority: PRIORITY.api,
    agencyId,
    notBefore: ago({ hours: 1 }),
  });
};

describe("sends after a break in which none of the agency's work went", () => {
  it('are accepted, because what waited meanwhile counts from its end, and refused when that is long ago', async () => {
    const sender = await aSender(api, 'after-break');
    const { agencyId } = sender;
    await promiseOld(agencyId);
    await takeOne();
    // Its work stopped an hour ago, and what was accepted then still waits.
    await changeRows(api.database, 'agencyAtWork', { at: ago({ hours: 1 }), since: ago({ hours: 2 }) }, { agencyId });
    await promiseOld(agencyId);
    await promiseOld(agencyId);
    await takeOne();
    expect(await send(sender)).toMatchObject({ status: 202 });
    // It goes on and on, and the oldest work still waits.
    await changeRows(api.database, 'agencyAtWork', { since: ago({ minutes: 30 }) }, { agencyId });
    await eventually(async () => (await send(sender)).status === 503);
    expect(await send(sender)).toMatchObject({ status: 503, body: { code: 'overloaded' } });
  });
});
