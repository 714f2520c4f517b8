import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { transform } from 'esbuild';
import { ROOT } from '../../tools/demo/engine-process.ts';

const VERSIONS =
  /^Messaging automation engine \d+\.\d+\.\d+ \((?:commit [0-9a-f]{8,}|no commit known)\), Node (\d+)\.\d+\.\d+, Temporal \d+\.\d+\.\d+, Temporal SDK \d+\.\d+\.\d+\n$/;

/** Makes a Node say that it is an old one. */
const OLD = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.8" } });';
const AS_OLD_NODE = ['--import', `data:text/javascript,${encodeURIComponent(OLD)}`];

interface Ran {
  code: number;
  out: string;
  errors: string;
}

interface Options {
  cwd?: string;
  path?: string;
  variables?: Record<string, string>;
}

function run(file: string, words: string[], options: Options = {}): Promise<Ran> {
  return new Promise((resolve) => {
    const child = execFile(
      file,
      words,
      { cwd: options.cwd ?? tmpdir(), env: { PATH: options.path ?? process.env['PATH'] ?? '', ...options.variables } },
      (_, out, errors) => resolve({ code: child.exitCode ?? -1, out, errors }),
    );
  });
}

describe('./engine', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'engine script '));
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('says the versions that a bug report needs', async () => {
    for (const word of ['--version', '-v']) {
      expect(await run(join(ROOT, 'engine'), [word])).toEqual({
        code: 0,
        out: expect.stringMatching(VERSIONS),
        errors: '',
      });
    }
  });

  it('says the version of a Temporal of the person’s own', async () => {
    await writeFile(join(directory, 'temporal'), '#!/bin/sh\necho "temporal version 1.8.0 (Server 1.30.0)"\n', {
      mode: 0o755,
    });
    const { out } = await run(join(ROOT, 'engine'), ['--version'], {
      path: `${directory}:${process.env['PATH'] ?? ''}`,
    });
    expect(out).toContain(', Temporal 1.8.0,');
  });

  it('runs in any directory, through links, and in a path with spaces', async () => {
    const clone = join(directory, 'a clone');
    await symlink(ROOT, clone);
    await mkdir(join(directory, 'bin'));
    await symlink(join(clone, 'engine'), join(directory, 'absolute'));
    await symlink('../a clone/engine', join(directory, 'bin', 'relative'));
    await symlink('relative', join(directory, 'bin', 'again'));
    const ways: [string, string[]][] = [
      [join(clone, 'engine'), []],
      [join(directory, 'absolute'), []],
      [join(directory, 'bin', 'again'), []],
      ['sh', ['engine']],
    ];
    for (const [file, words] of ways) {
      expect(await run(file, [...words, '--version'], { cwd: clone })).toMatchObject({ code: 0, errors: '' });
    }
  });

  it('passes each word on as it was given', async () => {
    const { code, errors } = await run(join(ROOT, 'engine'), ['a  word', '$HOME', "it's"]);
    expect(errors).toContain(`There is no "a  word $HOME it's".`);
    expect(code).toBe(2);
  });

  // test/deploy/own-node.test.ts tries that an old Node continues with one that is fetched.
  it('starts no third Node where the fetched one calls itself old, too', async () => {
    const words = [...AS_OLD_NODE, join(ROOT, 'bin/start.mjs'), '--version'];
    const { code, errors } = await run(process.execPath, words, { variables: { ENGINE_SECOND_TRY: '1' } });
    expect(errors).toMatch(/^The Node that was fetched calls itself 18\.20\.8: install Node 24 from .*\n$/);
    expect(code).toBe(1);
  });

  describe('without a Node that is new enough', () => {
    beforeEach(async () => {
      for (const path of ['engine', 'bin/start.mjs', 'bin/own-node.mjs']) {
        await mkdir(dirname(join(directory, path)), { recursive: true });
        await cp(join(ROOT, path), join(directory, path));
      }
    });

    it('says what to do where the machine’s is old', async () => {
      await mkdir(join(directory, 'old'));
      const old = join(directory, 'old', 'node');
      await writeFile(
        old,
        `#!/bin/sh\nexec '${process.execPath}' ${AS_OLD_NODE.map((word) => `'${word}'`).join(' ')} "$@"\n`,
      );
      await chmod(old, 0o755);
      const sentence = {
        code: 1,
        out: '',
        errors: expect.stringMatching(
          /^The engine needs Node 24 or newer and runs on 18\.20\.8\. Node 24\.\S+ could not be fetched \(run "npm install" first\): .*\n$/,
        ),
      };
      const path = `${dirname(old)}:/usr/bin:/bin`;
      expect(await run(join(directory, 'engine'), ['env'], { path })).toEqual(sentence);
      expect(await run(old, [join(directory, 'bin/start.mjs'), 'env'], { path })).toEqual(sentence);
    });

    it('says what to do where there is none', async () => {
      const { code, errors } = await run(join(directory, 'engine'), ['env'], { path: join(directory, 'bin') });
      expect(errors).toMatch(/^The engine needs Node 24 or newer, and there is no node on the PATH: .*\n$/);
      expect(code).toBe(1);
    });
  });

  it('begins with files that Node 18 can read', async () => {
    // The bundler rewrites what a Node does not understand; so a file that it leaves alone is understood.
    for (const path of ['bin/start.mjs', 'bin/own-node.mjs']) {
      const start = await readFile(join(ROOT, path), 'utf8');
      const [old, newest] = await Promise.all(
        ['node18', 'esnext'].map((target) => transform(start, { target, format: 'esm' })),
      );
      expect(old?.code).toBe(newest?.code);
    }
  });
});
