import { afterAll, afterEach, describe, expect, it, jest } from '@jest/globals';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findTemporal } from '../../../../local/embedded/temporal/binary.ts';
import type { FindTemporalOptions } from '../../../../local/embedded/temporal/binary.ts';
import { runCommand } from '../../../../local/embedded/process/run-command.ts';
import { RELEASES } from '../../../../local/embedded/temporal/release.ts';
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

/** A program that passes for Temporal by what it says, and leaves a file behind when somebody runs it. */
const impostor = (path: string, trace: string) =>
  script(path, `echo ran > '${trace}'`, `echo 'temporal version ${RELEASES.cli.version} (Server 1.32.0)'`);

/** Answers in place of Temporal's own download: first what the question about the release gets, then the archive. */
function officialAnswers(info: object, ...further: Response[]): string[] {
  const asked: string[] = [];
  const answers = [Response.json(info), ...further];
  jest.spyOn(globalThis, 'fetch').mockImplementation((url) => {
    asked.push(String(url instanceof Request ? url.url : url));
    const answer = answers.shift();
    return answer === undefined ? Promise.reject(new Error('nothing more was expected')) : Promise.resolve(answer);
  });
  return asked;
}

async function archiveOf(directory: string, member: string): Promise<Response> {
  const archive = join(directory, 'archive.tar.gz');
  const packed = await runCommand('tar', ['-czf', archive, '-C', directory, '--', member], {
    env: { PATH: process.env['PATH'] },
    timeoutMs: 10_000,
  });
  expect(packed).toMatchObject({ ok: true });
  return new Response(await readFile(archive));
}

/** A machine with tar and without python3, so that only Temporal's own download is left. */
async function onlyTar(): Promise<NodeJS.ProcessEnv> {
  const bin = await directory();
  await script(join(bin, 'python3'), 'echo "python3: No module named pip" >&2', 'exit 1');
  return { PATH: `${bin}:${process.env['PATH'] ?? ''}` };
}

describe('the Temporal program', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

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

  it('is refused unrun, with what to do, when another file has its name in the cache', async () => {
    const cacheDir = await directory();
    const trace = join(await directory(), 'trace');
    const name = `temporal-${RELEASES.cli.version}-${process.platform}-${process.arch}`;
    const planted = await impostor(join(cacheDir, name), trace);
    await expect(find({ cacheDir })).rejects.toThrow(
      `${planted} is not the program that was put there: its sha256 is not the one that we know. ` +
        'Find out who changed it, then delete it to have it fetched again',
    );
    await expect(readFile(trace)).rejects.toThrow('ENOENT');
  });

  it('is refused unrun when the official download answers with another program', async () => {
    const cacheDir = await directory();
    const [packing, traces] = [await directory(), await directory()];
    const trace = join(traces, 'trace');
    await impostor(join(packing, 'temporal'), trace);
    const archiveUrl = 'https://downloads.test/temporal.tar.gz';
    officialAnswers({ archiveUrl, fileToExtract: 'temporal' }, await archiveOf(packing, 'temporal'));
    await expect(find({ cacheDir, env: await onlyTar() })).rejects.toThrow(
      /the program has another sha256 than the one that we know.*TEMPORAL_CLI_PATH/s,
    );
    await expect(readFile(trace)).rejects.toThrow('ENOENT');
    expect(await readdir(cacheDir)).toEqual([]);
  });

  it('is not fetched when the official download names an option of tar or a place outside as its file', async () => {
    const traces = await directory();
    const archiveUrl = 'https://downloads.test/temporal.tar.gz';
    for (const fileToExtract of [
      `--to-command=touch ${join(traces, 'trace')}`,
      '../temporal',
      '/bin/sh',
      'a/../../b',
    ]) {
      const packing = await directory();
      await program(join(packing, 'temporal'), 'hello');
      officialAnswers({ archiveUrl, fileToExtract }, await archiveOf(packing, 'temporal'));
      const cacheDir = await directory();
      await expect(find({ cacheDir, env: await onlyTar() })).rejects.toThrow(/names no file inside its archive/);
    }
    expect(await readdir(traces)).toEqual([]);
  });

  it('is not fetched over http, neither at once nor where https leads there', async () => {
    const plain = 'http://downloads.test/temporal.tar.gz';
    const atOnce = officialAnswers({ archiveUrl: plain, fileToExtract: 'temporal' });
    await expect(find({ cacheDir: await directory(), env: await onlyTar() })).rejects.toThrow(/only https is fetched/);
    expect(atOnce).toHaveLength(1);

    const archiveUrl = 'https://downloads.test/temporal.tar.gz';
    const redirect = new Response(null, { status: 302, headers: { location: plain } });
    const later = officialAnswers({ archiveUrl, fileToExtract: 'temporal' }, redirect);
    await expect(find({ cacheDir: await directory(), env: await onlyTar() })).rejects.toThrow(/only https is fetched/);
    expect(later).toHaveLength(2);
  });
});
