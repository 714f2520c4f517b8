import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { Wakeups } from '../../db/wakeups.ts';
import { eventually } from '../support/eventually.ts';
import { takeServers } from '../support/servers.ts';

describe('wake-ups between processes', () => {
  let url: string;
  let admin: Client;
  let here: Wakeups;
  let there: Wakeups;

  beforeEach(async () => {
    ({ databaseUrl: url } = await takeServers());
    admin = new Client({ connectionString: url });
    await admin.connect();
    here = new Wakeups(url, () => undefined);
    there = new Wakeups(url, () => undefined);
    await here.listen();
    await there.listen();
  });
  afterEach(async () => {
    await here.close();
    await there.close();
    await admin.end();
  });

  const ownerLock = (verb: string) => admin.query<{ ok: boolean }>(`select ${verb}($1::bigint) as ok`, [here.owner]);
  const seemsDead = async () => (await ownerLock('pg_try_advisory_xact_lock')).rows[0]?.ok === true;

  async function connections(): Promise<number[]> {
    const { rows } = await admin.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name = 'engine-wakeups-2' and datname = current_database()`,
    );
    return rows.map(({ pid }) => pid);
  }

  it('a process lives as long as its connection', async () => {
    expect(await seemsDead()).toBe(false);
    await here.close();
    await eventually(seemsDead);
  });

  it('a process whose lost connection the server still holds wakes others again', async () => {
    const lost = await connections();
    // What the server keeps of a connection that broke without a word: its lock.
    await ownerLock('pg_advisory_lock_shared');
    for (const pid of lost) await admin.query('select pg_terminate_backend($1)', [pid]);
    await eventually(async () => {
      const now = await connections();
      return now.length === 2 && now.every((pid) => !lost.includes(pid));
    });
    let woken = false;
    there.on('message', () => {
      woken = true;
    });
    await eventually(() => {
      here.wake('message', 'm1');
      return woken;
    });
    await ownerLock('pg_advisory_unlock_shared');
    expect(await seemsDead()).toBe(false);
  });

  it('a connection that cannot listen is given back', async () => {
    const before = await connections();
    const refused = new Wakeups(url, () => undefined);
    await refused.close();
    await expect(refused.listen()).rejects.toThrow('Closed');
    await eventually(async () => (await connections()).length === before.length);
  });
});
