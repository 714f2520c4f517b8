import { afterAll, describe, expect, it } from '@jest/globals';
import { chown, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../../../../local/embedded/postgres/postgres.ts';
import type { EmbeddedPostgres } from '../../../../local/embedded/postgres/postgres.ts';
import { freePort } from '../../../../local/embedded/port.ts';
import { otherEngine } from './killed-engine.ts';
import { scratch } from '../scratch.ts';

const { directory, stopLater, clear } = scratch();
afterAll(clear);

async function start(dataDir: string, port?: number): Promise<EmbeddedPostgres> {
  const settings = { fsync: 'off' };
  return stopLater(await startPostgres({ dataDir, port, settings, log: () => undefined }));
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  // The server is killed under this connection in one of the tests.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

const isRunning = (pid: number) =>
  readFile(`/proc/${pid}/stat`, 'utf8').then(
    (stat) => !stat.includes(') Z '),
    () => false,
  );

function killAndWait(server: EmbeddedPostgres): Promise<void> {
  return new Promise((resolve) => {
    server.onExit(resolve);
    process.kill(server.pid, 'SIGKILL');
  });
}

describe('the embedded PostgreSQL', () => {
  it('starts in an empty directory with the database engine, and stops', async () => {
    const dataDir = await directory();
    const server = await start(dataDir);
    expect(server).toMatchObject({ attached: false });
    expect(await query(server.url, 'select current_database() as name')).toEqual([{ name: 'engine' }]);
    expect(await query(server.url, 'show timezone')).toEqual([{ TimeZone: 'UTC' }]);
    await query(server.url, 'create extension pg_stat_statements');
    await server.stop();
    expect(await isRunning(server.pid)).toBe(false);
    expect((await readdir(dataDir)).filter((name) => name.startsWith('init-'))).toEqual([]);
    expect((await stat(join(dataDir, 'postgres-password'))).mode & 0o777).toBe(0o600);
  });

  it('refuses a connection without the password', async () => {
    const { url } = await start(await directory());
    await expect(query(url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow(/password/);
  });

  it('keeps what was stored over a stop and a start', async () => {
    const dataDir = await directory();
    const before = await start(dataDir);
    await query(before.url, 'create table note as select 7 as number');
    await before.stop();
    const after = await start(dataDir);
    expect(after.attached).toBe(false);
    expect(await query(after.url, 'select number from note')).toEqual([{ number: 7 }]);
  });

  it('is taken over after the engine that started it was killed, and stopped by its new owner', async () => {
    const dataDir = await directory();
    const other = await otherEngine('postgres', dataDir);
    await other.kill();
    const server = await start(dataDir);
    expect(server).toMatchObject({ attached: true, pid: other.serverPid });
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
    expect(await isRunning(server.pid)).toBe(false);
  });

  it('moves to the port asked for when the one left behind has another', async () => {
    const dataDir = await directory();
    const other = await otherEngine('postgres', dataDir);
    await other.kill();
    const port = await freePort();
    const server = await start(dataDir, port);
    expect(server).toMatchObject({ attached: false, port });
  });

  it('tells when it was killed, and comes back with every committed row', async () => {
    const dataDir = await directory();
    const before = await start(dataDir);
    await query(before.url, 'create table note as select generate_series(1, 1000) as number');
    await killAndWait(before);
    const after = await start(dataDir);
    expect(after.pid).not.toBe(before.pid);
    expect(await query(after.url, 'select count(*)::int from note')).toEqual([{ count: 1000 }]);
  });

  it('comes back when it was killed after its engine, with no parent of ours to reap it', async () => {
    const dataDir = await directory();
    const other = await otherEngine('postgres', dataDir);
    await other.kill();
    process.kill(other.serverPid, 'SIGKILL');
    const server = await start(dataDir);
    expect(server.attached).toBe(false);
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('starts although the pid of a crashed server belongs to another process now', async () => {
    const dataDir = await directory();
    const before = await start(dataDir);
    const file = join(dataDir, 'pg18', 'postmaster.pid');
    const lines = (await readFile(file, 'utf8')).split('\n');
    await before.stop();
    await writeFile(file, [process.pid, ...lines.slice(1)].join('\n'));
    const after = await start(dataDir);
    expect(after.attached).toBe(false);
  });

  it('starts once when two ask at the same time for an empty directory', async () => {
    const dataDir = await directory();
    const [one, two] = await Promise.all([start(dataDir), start(dataDir)]);
    expect(one.pid).toBe(two.pid);
    expect(one.attached).not.toBe(two.attached);
    expect(await query(two.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('says which variable to change when the port asked for is taken', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    await expect(start(await directory(), port)).rejects.toThrow(new RegExp(`Port ${port} .*POSTGRES_PORT`));
    await new Promise((resolve) => taken.close(resolve));
  });

  it('says what PostgreSQL disliked when it does not start', async () => {
    const dataDir = await directory();
    const broken = startPostgres({
      dataDir,
      settings: { fsync: 'off', max_connections: 'many' },
      log: () => undefined,
    });
    await expect(broken).rejects.toThrow(/max_connections.*DATABASE_URL/);
  });

  it('does not invent a new password for a database that has one', async () => {
    const dataDir = await directory();
    await mkdir(join(dataDir, 'pg18'));
    await expect(start(dataDir)).rejects.toThrow(/lacks its password file postgres-password/);
  });

  const asRoot = process.getuid?.() === 0 ? it : it.skip;
  asRoot('runs as the owner of the data directory when root starts it', async () => {
    const dataDir = await directory();
    await chown(dataDir, 65_534, 65_534);
    const server = await start(dataDir);
    expect((await stat(join(dataDir, 'pg18'))).uid).toBe(65_534);
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});
