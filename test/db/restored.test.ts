import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { createErasureActivities } from '../../activities/personal-data/erase.ts';
import { RENUMBER_RESTORED } from '../../db/migrate.ts';
import { eraseMessages, erasePerson } from '../../db/personal-data/erase-person.ts';
import { recordFiles } from '../../db/personal-data/erase-files.ts';
import { eraseRecords } from '../../db/personal-data/erase-records.ts';
import { beginErasure, findErasure, lockErasure } from '../../db/personal-data/erasure.ts';
import { sweepRecords } from '../../db/personal-data/record-retention.ts';
import { inActivity } from '../activities/in-activity.ts';
import { aMessageEvent } from '../api/webhooks/a-webhook-scene.ts';
import { above, ago, changeRows, countRows, earlier, like, merged, rowsOf } from '../support/rows.ts';
import { ROOT } from '../toolchain/source-files.ts';
import { anAgent } from './agent/a-turn.ts';
import { SCOPE } from './a-database.ts';
import { aPerson } from './conversations/a-person.ts';
import { databaseOfThisFile } from './database-of-this-file.ts';
import { restoreElsewhere } from './restore-elsewhere.ts';

const { database, sessionId } = await databaseOfThisFile();
const agent = anAgent(database, sessionId);
const person = aPerson(database, sessionId);

/** Files whose schemas have a transaction number, and where rows hold it: `null` where no row does, but a client. */
const SCHEMAS: Readonly<Record<string, string | null>> = {
  'db/personal-data/erase-events.ts': 'erasure.cursor',
  'db/personal-data/record-retention.ts': 'retention_place.txid',
  'db/webhooks/events/event-list.ts': null,
  'db/webhooks/mirror.ts': null,
  'db/webhooks/replay.ts': null,
};

const blanked = async () => [
  {
    events: await countRows(database, 'event'),
    blanked: await countRows(database, 'event', { body: like('%"erased"%') }),
  },
];

describe('a dump that was restored on another server', () => {
  it('has a statement for every column and every JSON field that holds a transaction number', async () => {
    const columns = await rowsOf<{ name: string }>(
      database,
      sql`select c.relname || '.' || a.attname as name
        from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
          and a.atttypid = 'xid8'::regtype`,
    );
    const held = Object.values(SCHEMAS).flatMap((place) => place ?? []);
    const isMended = (place: string): boolean => {
      const [table, column] = place.split('.');
      return RENUMBER_RESTORED.some(
        (statement) =>
          statement.startsWith(`update ${table} set ${column} =`) || statement.startsWith(`delete from ${table} `),
      );
    };
    const places = [...new Set([...columns.map(({ name }) => name), ...held])];
    expect(places.length).toBeGreaterThan(7);
    expect(places.filter((place) => !isMended(place))).toEqual([]);
  });

  it('has no other file that reads a transaction number of a row', () => {
    const files = ['db', 'activities', 'workflows'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => `${folder}/${file}`),
    );
    const reading = files.filter((file) => readFileSync(join(ROOT, file), 'utf8').includes('txid: z.string()'));
    expect(reading.toSorted()).toEqual(Object.keys(SCHEMAS).toSorted());
  });

  it('still loses the payloads of old events', async () => {
    await changeRows(database, 'tenant', { settings: merged({ eventRetentionDays: 1 }) });
    const tell = () => database.transaction(async (tx) => tx.emit(aMessageEvent({ ...SCOPE, sessionId }, 'cnv_1')));
    const age = () =>
      changeRows(database, 'event', { createdAt: earlier({ hours: 36 }) }, { createdAt: above(ago({ hours: 12 })) });
    const sweep = async (): Promise<void> => {
      await changeRows(database, 'retentionPlace', { lookedAt: '-infinity' });
      while ((await database.transaction((tx) => sweepRecords(tx, 'events', 1_000))) > 0);
    };
    await tell();
    await age();
    await sweep();
    await restoreElsewhere(database);
    await tell();
    await age();
    await sweep();
    const [found] = await blanked();
    expect(found?.events).toBeGreaterThan(1);
    expect(found?.blanked).toBe(found?.events);
  });

  it('is looked through anew by an erasure that was under way', async () => {
    const chatId = agent.person();
    const conversationId = await agent.write(chatId, 'words of the person');
    database.clock.advance(5_000);
    const begun = await database.transaction(async (tx) =>
      beginErasure(tx, SCOPE.agencyId, { contactId: await person.contactOf(chatId), keyId: 'key' }),
    );
    const erasureId = begun?.erasure.id ?? '';
    const at = async () => {
      const found = await database.read((queries) => findErasure(queries, erasureId));
      return found?.step === 'records' ? JSON.stringify(found.cursor) : found?.step;
    };
    const { eraseOn } = createErasureActivities({
      database,
      media: { store: { delete: async () => undefined } },
      stopping: new AbortController().signal,
    });
    // It goes on until it stands before the first event.
    for (let step = await at(); step !== undefined && !step.includes('"events"'); step = await at())
      await database.transaction(async (tx) => {
        const erasure = await lockErasure(tx, erasureId);
        if (erasure?.step === 'records') return eraseRecords(tx, erasure);
        if (erasure?.step === 'messages') await eraseMessages(tx, erasure);
        if (erasure?.step === 'person') await erasePerson(tx, erasure);
        if (erasure?.step === 'files') await recordFiles(tx, erasure, []);
      });
    await restoreElsewhere(database);
    while ((await inActivity(eraseOn, { erasureId })).step !== 'done');
    expect(await countRows(database, 'event', { conversationId, body: like('%words of the person%') })).toBe(0);
  });
});
