import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { Wakeups } from '../../../db/engine/wakeups.ts';
import { eventually } from '../../support/eventually.ts';
import { takeDatabase } from '../../support/servers.ts';

describe('wake-ups between processes', () => {
  let url: string;
  let admin: Client;
  let here: Wakeups;
  let there: Wakeups;

  beforeEach(async () => {
    url = await takeDatabase();
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

  it('many long keys go in as many notifications as they need', async () => {
    const heard = new Set<string>();
    there.on('team', (key) => void heard.add(key));
    const keys = Array.from({ length: 300 }, (_, index) => `${'a'.repeat(200)}/${index}`);
    for (const key of keys) here.wake('team', key);
    here.wake('release');
    await eventually(() => heard.size === keys.length);
    expect([...heard]).toEqual(keys);
  });

  it('words that may come late share a notification, which another one takes along', async () => {
    const notifications: string[] = [];
    admin.on('notification', ({ payload }) => void notifications.push(payload ?? ''));
    await admin.query('listen engine_wakeup');
    here.tellOthers('polled', 'release');
    await Promise.resolve();
    here.tellOthers('polled', 'owed');
    await eventually(() => notifications.length > 0);
    here.tellOthers('polled', 'dispatch');
    here.tellOthers('dispatch');
    await eventually(() => notifications.length > 1);
    expect(notifications).toEqual(['polled:release polled:owed', 'polled:dispatch dispatch:']);
  });

  it('a process whose connection falls silent without an end makes a new one', async () => {
    const target = new URL(url);
    const pairs: [Socket, Socket][] = [];
    const between = createServer((near) => {
      const far = connect(Number(target.port), target.hostname);
      for (const socket of [near, far]) socket.on('error', () => undefined);
      near.pipe(far).pipe(near);
      pairs.push([near, far]);
    });
    await once(between.listen(0, '127.0.0.1'), 'listening');
    const address = between.address();
    const through = new URL(url);
    through.host = `127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`;
    const behind = new Wakeups(through.href, () => undefined, { beatMs: 50 });
    await behind.listen();
    // As when a NAT forgets the connection: nothing comes through any more, and no side is told.
    for (const [near, far] of pairs) {
      near.unpipe(far);
      far.unpipe(near);
    }
    let woken = false;
    there.on('shards', () => {
      woken = true;
    });
    await eventually(() => {
      behind.wake('shards');
      return woken;
    });
    await behind.close();
    for (const socket of pairs.flat()) socket.destroy();
    between.close();
  });

  it('a process whose lost connection the server still holds wakes others again', async () => {
    const lost = await connections();
    // The server keeps the lock of a connection that broke silently.
    await ownerLock('pg_advisory_lock_shared');
    for (const pid of lost) await admin.query('select pg_terminate_backend($1)', [pid]);
    await eventually(async () => {
      const now = await connections();
      return now.length === 2 && now.every((pid) => !lost.includes(pid));
    });
    let woken = false;
    there.on('shards', () => {
      woken = true;
    });
    await eventually(() => {
      here.wake('shards');
      return woken;
    });
    await ownerLock('pg_advisory_unlock_shared');
    expect(await seemsDead()).toBe(false);
  });

  /** Returns the wake-ups at the other process until a later one reaches it. */
  async function heardThere(wake: () => void): Promise<string[]> {
    const heard: string[] = [];
    const offs = (['message', 'delivery'] as const).map((topic) =>
      there.on(topic, (key) => heard.push(`${topic} ${key}`)),
    );
    wake();
    const last = there.wait('shards', '', 10_000);
    here.wake('shards');
    await last;
    offs.forEach((off) => off());
    return heard;
  }

  it('a process that waits for a message hears of it, and others of no message that they have not asked for', async () => {
    const asked = new Promise<void>((resolve) => void here.on('shards', () => resolve()));
    there.ask('message', 'm1');
    there.wake('shards');
    await asked;
    expect(
      await heardThere(() => {
        here.wake('message', 'm1');
        here.wake('message', 'm2');
      }),
    ).toEqual(['message m1']);
  });

  it('a process that serves a key alone keeps its wake-ups to itself', async () => {
    const served: string[] = [];
    here.on('delivery', (key) => void served.push(key));
    const wake = (): void => {
      here.wake('delivery', '1');
      here.wake('delivery', '2');
    };
    const off = here.keep('delivery', (key) => key === '1');
    expect(await heardThere(wake)).toEqual(['delivery 2']);
    off();
    expect(await heardThere(wake)).toEqual(['delivery 1', 'delivery 2']);
    expect(served).toEqual(['1', '2', '1', '2']);
  });

  it('a connection that cannot listen is given back', async () => {
    const before = await connections();
    const refused = new Wakeups(url, () => undefined);
    await refused.close();
    await expect(refused.listen()).rejects.toThrow('Closed');
    await eventually(async () => (await connections()).length === before.length);
  });
});
