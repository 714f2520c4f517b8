import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort } from '../../local/embedded/port.ts';
import { ROOT } from '../toolchain/source-files.ts';

/** Node that says that it is an old one. */
const AS_OLD_NODE = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.9.0'}})`;
const CACHED = 'node_modules/.cache/node/24.21.0';

describe('a machine with an old Node', () => {
  let checkout: string;
  let registry: Server | undefined;

  beforeEach(async () => {
    checkout = await mkdtemp(join(tmpdir(), 'old node '));
    await mkdir(join(checkout, 'bin'));
    await mkdir(join(checkout, 'node_modules'));
    for (const name of ['start.mjs', 'own-node.mjs']) await cp(join(ROOT, 'bin', name), join(checkout, 'bin', name));
  });
  afterEach(async () => {
    registry?.close();
    registry?.closeAllConnections();
    await rm(checkout, { recursive: true, force: true });
  });

  function run(program: string, words: string[] = [], registryUrl = 'http://127.0.0.1:1'): Promise<string> {
    const env = {
      PATH: process.env['PATH'],
      HOME: checkout,
      npm_config_registry: registryUrl,
      npm_config_update_notifier: 'false',
    };
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        ['--import', AS_OLD_NODE, join(checkout, 'bin', program), ...words],
        { env, cwd: checkout },
        (error, stdout, stderr) => resolve(`${stdout}${stderr}exit ${error?.code ?? 0}`),
      );
    });
  }

  it('starts the engine with the Node that was fetched before, without the network', async () => {
    await mkdir(join(checkout, CACHED), { recursive: true });
    await writeFile(join(checkout, CACHED, 'node'), '#!/bin/sh\necho "started: $*"\nexit 7\n');
    await chmod(join(checkout, CACHED, 'node'), 0o755);
    const output = await run('start.mjs', ['env', '--json']);
    expect(output).toMatch(/^started: .*bin\/start\.mjs env --json\nexit 7$/);
    // npm's scripts find it there.
    expect(await readlink(join(checkout, 'node_modules/.bin/node'))).toBe('../.cache/node/24.21.0/node');
  });

  it.each(['start.mjs', 'own-node.mjs'])(
    'gets one sentence from %s that says what to do, when there is no registry',
    async (program) => {
      const output = await run(program, [], `http://127.0.0.1:${await freePort()}`);
      expect(output).toMatch(
        /^Fetching Node 24\.21\.0 .*\nThe engine needs Node 24 .*ECONNREFUSED.*: install Node 24 .*\nexit 1$/,
      );
      expect(await readdir(join(checkout, 'node_modules/.cache'))).toEqual([]);
    },
  );

  it('asks a registry that fails once more, and not for minutes', async () => {
    let requests = 0;
    registry = createServer((_, res) => {
      requests += 1;
      res.statusCode = 503;
      res.end();
    }).listen(0, '127.0.0.1');
    await once(registry, 'listening');
    expect(await run('own-node.mjs', [], urlOf(registry))).toMatch(
      /^Fetching .*\n.*503.*: install Node 24 .*\nexit 1$/,
    );
    expect(requests).toBe(2);
  });

  it('runs no file but the pinned one', async () => {
    registry = await serve(await anArchive(checkout));
    const output = await run('own-node.mjs', [], urlOf(registry));
    expect(output).toMatch(/the registry served another file than the pinned one.*\nexit 1$/);
    expect(await readdir(join(checkout, 'node_modules/.cache'))).toEqual([]);
  });
});

function urlOf(server: Server): string {
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

/** A package that says it is Node and has a program of somebody else. */
async function anArchive(directory: string): Promise<Buffer> {
  await mkdir(join(directory, 'package/bin'), { recursive: true });
  await writeFile(join(directory, 'package/package.json'), JSON.stringify({ name: 'node', version: '24.21.0' }));
  await writeFile(join(directory, 'package/bin/node'), '#!/bin/sh\n', { mode: 0o755 });
  await promisify(execFile)('tar', ['-czf', 'other.tgz', 'package'], { cwd: directory });
  return readFile(join(directory, 'other.tgz'));
}

/** A registry that has one package and calls it by any name. */
function serve(archive: Buffer): Promise<Server> {
  const server = createServer((req, res) => {
    if (req.url?.endsWith('.tgz') === true) return void res.end(archive);
    const name = req.url?.slice(1) ?? '';
    const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
    const dist = { tarball: `http://${req.headers.host}/${name}.tgz`, integrity };
    res.setHeader('content-type', 'application/json');
    res.end(JSON.stringify({ name, versions: { '24.21.0': { name, version: '24.21.0', dist } } }));
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}
