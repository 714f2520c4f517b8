import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { claimDispatches } from '../../../db/dispatch.ts';
import { acceptSend } from '../../../db/sending/accept.ts';
import { listSlow } from '../../../db/sending/before-send.ts';
import { updateSettings } from '../../../db/tenants/settings.ts';
import { inSlices, sliceUp } from '../../../loops/dispatch/slices.ts';
import type { TenantSettings } from '../../../domain/tenants/settings.ts';
import { SCOPE } from '../../db/a-database.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { deleteRows } from '../../support/rows.ts';

const { database, sessionId } = await databaseOfThisFile();

describe('messages that are due together, some of which need time', () => {
  let people = 0;

  beforeEach(() => deleteRows(database, 'dispatch'));

  /** Accepts a message to somebody new, which is released at once; a person's is a reply. */
  async function aMessage(origin: 'api' | 'person', kind: 'text' | 'document' = 'text'): Promise<string> {
    people += 1;
    const accepted = await database.transaction((tx) =>
      acceptSend(
        tx,
        { ...SCOPE, sessionId },
        {
          recipient: { chatId: `1555031${String(3_000 + people)}@c.us` },
          parts: [{ kind, body: `text ${people}` }],
          origin,
          expires: { afterMs: 60_000 },
        },
      ),
    );
    if (accepted.outcome !== 'accepted') throw new Error('The message was not accepted.');
    return accepted.messageId;
  }

  async function some(count: number, origin: 'api' | 'person'): Promise<string[]> {
    const ids = [];
    for (let n = 0; n < count; n += 1) ids.push(await aMessage(origin));
    return ids;
  }

  const set = (settings: TenantSettings) => database.transaction((tx) => updateSettings(tx, SCOPE, settings));

  /** Leases what is promised, as the dispatcher does: the slow messages, and how many messages each call has. */
  async function handOvers() {
    const token = randomUUID();
    const batch = await database.statement((tx) => claimDispatches(tx, { token, size: 50, leaseMs: 30_000 }));
    const slow = await database.read((queries) => listSlow(queries, inSlices(batch)));
    const sizes = sliceUp(batch, new Set(slow)).map(({ dispatches }) => dispatches.length);
    return { slow: slow.toSorted(), sizes: sizes.toSorted((one, other) => one - other) };
  }

  it('share an execution without a file, and go alone when fewer than three are left', async () => {
    const file = await aMessage('api', 'document');
    await some(2, 'api');
    expect(await handOvers()).toEqual({ slow: [file], sizes: [1, 1, 1] });

    await deleteRows(database, 'dispatch');
    const other = await aMessage('api', 'document');
    await some(3, 'api');
    expect(await handOvers()).toEqual({ slow: [other], sizes: [1, 3] });
  });

  it('go alone as replies that show typing, which are those of a pace unless the tenant wants no typing', async () => {
    const replies = await some(3, 'person');
    await some(3, 'api');
    await set({ pace: { perMinute: 600 } });
    expect(await handOvers()).toEqual({ slow: replies.toSorted(), sizes: [1, 1, 1, 3] });

    await set({ pace: null });
    await deleteRows(database, 'dispatch');
    await some(3, 'person');
    await set({ pace: { perMinute: 600 }, typing: false });
    expect(await handOvers()).toEqual({ slow: [], sizes: [3] });
    await set({ pace: null });
  });
});
