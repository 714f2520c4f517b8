import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findTemporal } from '../../../embedded/temporal/binary.ts';
import type { FindTemporalOptions } from '../../../embedded/temporal/binary.ts';
import { scratch } from '../scratch.ts';

const { directory, clear } = scratch();
afterAll(clear);

const offline = { PATH: '' };

function find(options: Partial<FindTemporalOptions> & { cacheDir: string }): Promise<string> {
  return findTemporal({ kind: 'cli', pathVariable: '', env: offline, log: () => undefined, ...options });
}

async function script(path: string, ...commands: string[]): Promise<string> {
  await writeFile(path, ['#!/bin/sh', ...commands, ''].join('\n'), { mode: 0o755 });
  return path;
}

const program = (path: string, prints: string) => script(path, `echo '${prints}'`);

describe('the Temporal program', () => {
  it('is the one TEMPORAL_CLI_PATH names', async () => {
    const cacheDir = await directory();
    const cliPath = await program(join(cacheDir, 'mine'), 'temporal version 1.5.0 (Server 1.29.1)');
    expect(await find({ cacheDir, cliPath })).toBe(cliPath);
  });

  it('is refused with one sentence when TEMPORAL_CLI_PATH names no executable file', async () => {
    const cacheDir = await directory();
    await expect(find({ cacheDir, cliPath: '/nowhere/temporal' })).rejects.toThrow(/TEMPORAL_CLI_PATH is \/nowhere/);
    await expect(find({ cacheDir, cliPath: cacheDir })).rejects.toThrow(/not an executable file/);
    const cliPath = await program(join(cacheDir, 'other'), 'hello');
    await expect(find({ cacheDir, cliPath })).rejects.toThrow(/--version/);
  });

  it('is found on the PATH, where one that is too old is passed over', async () => {
    const cacheDir = await directory();
    const [old, fresh] = [join(cacheDir, 'old'), join(cacheDir, 'fresh')];
    for (const path of [old, fresh]) await mkdir(path);
    await program(join(old, 'temporal'), 'temporal version 1.1.0 (Server 1.25.0)');
    const expected = await program(join(fresh, 'temporal'), 'temporal version 1.10.0 (Server 1.33.0)');
    const lines: string[] = [];
    const log = (line: string) => lines.push(line);
    expect(await find({ cacheDir, pathVariable: `relative:${old}:/nowhere:${fresh}`, log })).toBe(expected);
    expect(lines.join()).toMatch(/1\.1\.0.*not used/);
  });

  it.each(['cli', 'test-server'] as const)(
    'is fetched once (%s) and then found in the cache without a network',
    async (kind) => {
      const cacheDir = await directory();
      const lines: string[] = [];
      const log = (line: string) => lines.push(line);
      const fetched = await find({ cacheDir, kind, env: process.env, log });
      expect(lines[0]).toMatch(/fetching .* MB/);
      expect(await readdir(cacheDir)).toHaveLength(1);
      expect(await find({ cacheDir, kind })).toBe(fetched);
    },
  );

  it('says what was tried and which variables to set when there is none', async () => {
    const cacheDir = await directory();
    const attempt = find({ cacheDir });
    await expect(attempt).rejects.toThrow(/there is no python3.*TEMPORAL_CLI_PATH.*TEMPORAL_ADDRESS/s);
    expect(await readdir(cacheDir)).toEqual([]);
  });

  it('says so when python3 has no pip', async () => {
    const cacheDir = await directory();
    const bin = await directory();
    await script(join(bin, 'python3'), 'echo "python3: No module named pip" >&2', 'exit 1');
    await expect(find({ cacheDir, env: { PATH: bin } })).rejects.toThrow(/python3 has no pip/);
  });
});
