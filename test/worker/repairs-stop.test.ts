import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { createLogger } from '../../api/wire/logger.ts';
import type { Database } from '../../db/engine/database.ts';
import { Repairs } from '../../worker/repairs.ts';
import { installRuntime } from '../../worker/runtime.ts';
import { aDatabase } from '../db/a-database.ts';
import { changeRows } from '../support/rows.ts';
import { takeServers } from '../support/servers.ts';

const log = createLogger({ level: 'silent', name: 'test' });

describe('a worker that stops while a repair does not end', () => {
  let database: Database;
  let connection: NativeConnection;
  let namespace: string;

  beforeEach(async () => {
    installRuntime(log, null);
    const servers = await takeServers();
    ({ namespace } = servers);
    database = await aDatabase();
    connection = await NativeConnection.connect({ address: servers.temporalAddress });
  });
  afterEach(async () => {
    await connection.close();
    await database.close();
  });

  it('leaves it to the next', async () => {
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    let hangs = false;
    const repairs = new Repairs({
      database,
      client: new Client({ connection, namespace }),
      connection,
      namespace,
      reconcileRows: async () => {
        if (hangs) {
          begun.resolve();
          await end.promise;
        }
        return { failed: [], left: [] };
      },
      log,
      lookEveryMs: 50,
    });
    await repairs.start();
    hangs = true;
    await changeRows(database, 'repair', { doneAt: null, claimedUntil: null });
    await begun.promise;
    await expect(repairs.stop()).resolves.toBeUndefined();
    end.resolve();
  });
});
