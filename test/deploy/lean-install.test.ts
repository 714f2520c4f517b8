import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { readManifest } from '../toolchain/packages.ts';
import { ROOT } from '../toolchain/source-files.ts';

const Common = z.object({ targets: z.array(z.string()), getPrebuiltTargetName: z.function({ output: z.string() }) });
const common: unknown = createRequire(join(ROOT, 'package.json'))('@temporalio/core-bridge/common.js');
const { targets, getPrebuiltTargetName } = Common.parse(common);
const loaded = getPrebuiltTargetName();

describe('an installation', () => {
  let directory: string;
  let bridge: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'lean install '));
    bridge = join(directory, 'node_modules/@temporalio/core-bridge');
    for (const script of ['trim-packages.mjs', 'own-tools.mjs']) {
      cpSync(join(ROOT, 'bin', script), join(directory, 'bin', script));
    }
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  function run(script: string, environment: Record<string, string> = {}): { code: number | null; errors: string } {
    const { status, stderr } = spawnSync(process.execPath, [join(directory, 'bin', script)], {
      cwd: tmpdir(),
      env: environment,
      encoding: 'utf8',
    });
    return { code: status, errors: stderr };
  }

  function unpack(names: string[]): void {
    for (const name of [...names.map((build) => `releases/${build}`), 'sdk-core', 'lib']) {
      mkdirSync(join(bridge, name), { recursive: true });
      writeFileSync(join(bridge, name, 'index.node'), 'x');
    }
  }

  it('keeps the build of Temporal’s core that this machine loads, and no other', () => {
    unpack(targets);
    expect(run('trim-packages.mjs')).toEqual({ code: 0, errors: '' });
    expect(readdirSync(join(bridge, 'releases'))).toEqual([loaded]);
    expect(readdirSync(bridge).toSorted()).toEqual(['lib', 'releases']);
    // npm runs it after each change, also of what it has trimmed before.
    expect(run('trim-packages.mjs')).toEqual({ code: 0, errors: '' });
    expect(readdirSync(join(bridge, 'releases'))).toEqual([loaded]);
  });

  it('keeps all where Temporal has no build for the machine', () => {
    const others = targets.filter((name) => name !== loaded);
    unpack(others);
    expect(run('trim-packages.mjs')).toEqual({ code: 0, errors: '' });
    expect(readdirSync(join(bridge, 'releases')).toSorted()).toEqual(others.toSorted());
  });

  it('keeps the drawings of the icons, and neither their fonts nor their scripts', () => {
    const icons = join(directory, 'node_modules/lucide-static');
    for (const name of ['dist', 'font', 'icons']) mkdirSync(join(icons, name), { recursive: true });
    run('trim-packages.mjs');
    expect(readdirSync(icons)).toEqual(['icons']);
  });

  it('does not fail where there is nothing to trim', () => {
    expect(run('trim-packages.mjs')).toEqual({ code: 0, errors: expect.stringMatching(/^Temporal's builds .*\n$/) });
  });

  it('is trimmed by npm after each change of the packages, and not by a script of a package', () => {
    expect(readManifest().scripts['dependencies']).toBe('node bin/trim-packages.mjs');
  });

  describe('without the development tools', () => {
    beforeEach(() => mkdirSync(join(directory, 'programs')));

    /** Stands in for npm, which would need a registry: it notes its words, and installs as the body says. */
    function withNpm(body: string): Record<string, string> {
      const programs = join(directory, 'programs');
      writeFileSync(join(programs, 'npm'), `#!/bin/sh\necho "$@" >> npm-was-run\n${body}\n`, { mode: 0o755 });
      return { PATH: `${programs}:/usr/bin:/bin` };
    }

    it('gets them from npm, once', () => {
      const environment = withNpm('mkdir -p node_modules/jest');
      expect(run('own-tools.mjs', environment)).toEqual({
        code: 0,
        errors: expect.stringMatching(/^Installing .*\n$/),
      });
      expect(run('own-tools.mjs', environment)).toEqual({ code: 0, errors: '' });
      expect(readFileSync(join(directory, 'npm-was-run'), 'utf8')).toBe('install --include=dev\n');
    });

    it('says what to do where npm cannot', () => {
      const { code, errors } = run('own-tools.mjs', withNpm('exit 1'));
      expect(errors).toMatch(/^The development tools could not be installed .*: run "npm install"\.$/m);
      expect(code).toBe(1);
    });

    it.each(['pretest', 'precheck'])('gets them before "%s"', (script) => {
      expect(readManifest().scripts[script]).toBe('node bin/own-tools.mjs && node bin/own-node.mjs');
    });
  });
});
