import { describe, expect, it } from '@jest/globals';
import { Shedding } from '../../../api/sending/shedding.ts';
import type { Database } from '../../../db/engine/database.ts';
import { aDatabase } from '../../db/a-database.ts';

describe("the reads of an agency's backlog", () => {
  it('are one for all sends of a moment', async () => {
    const database = await aDatabase();
    let reads = 0;
    const counting: Pick<Database, 'read' | 'clock'> = {
      clock: database.clock,
      read: (work) => {
        reads += 1;
        return database.read(work);
      },
    };
    const shedding = new Shedding(counting);
    await Promise.all(Array.from({ length: 50 }, () => shedding.admit('a1', { origin: 'api' })));
    expect(reads).toBe(1);
    await database.close();
  });

  it('of requests in transactions need no other connection', async () => {
    const database = await aDatabase({ poolSize: 2 });
    const shedding = new Shedding(database);
    const admit = () => database.transaction((tx) => shedding.admit('a1', { origin: 'api' }, tx));
    await expect(Promise.all(Array.from({ length: 10 }, admit))).resolves.toHaveLength(10);
    await database.close();
  });
});
