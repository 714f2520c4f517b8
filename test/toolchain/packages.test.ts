import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { gapsOf, readCopies, readLockText, readManifest } from './packages.ts';
import { ROOT } from './source-files.ts';

const manifest = readManifest();
const copies = readCopies();

describe('the packages', () => {
  it('are named with exact versions, whatever npm resolves them', () => {
    const named = Object.entries({
      ...manifest.dependencies,
      ...manifest.optionalDependencies,
      ...manifest.devDependencies,
    });
    expect(named.filter(([, version]) => !/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version))).toEqual([]);
  });

  it('give every package of Temporal the same protobufjs, without which no recorded history can be read', () => {
    const scope = join(ROOT, 'node_modules/@temporalio');
    const resolved = readdirSync(scope).map((name) =>
      createRequire(join(scope, name, 'index.js')).resolve('protobufjs'),
    );
    expect(new Set(resolved)).toEqual(new Set([join(ROOT, 'node_modules/protobufjs/index.js')]));
  });

  it('hold Temporal in one version', () => {
    const temporal = copies.filter(({ name }) => name.startsWith('@temporalio/'));
    expect(new Set(temporal.map(({ version }) => version)).size).toBe(1);
  });

  it('hold MikroORM in the one version in which all its parts exist', () => {
    const orm = copies.filter(({ name }) => name.startsWith('@mikro-orm/'));
    expect(new Set(orm.map(({ version }) => version))).toEqual(new Set(['7.2.1']));
    expect(orm.map(({ name }) => name)).toEqual(expect.arrayContaining(['@mikro-orm/core', '@mikro-orm/postgresql']));
  });

  it.each(['kysely', 'pg', 'zod', 'koa', 'undici'])('hold one copy of %s', (wanted) => {
    expect(copies.filter(({ name }) => name === wanted).map(({ path }) => path)).toEqual([`node_modules/${wanted}`]);
  });

  it('are all in the lock, for each platform, so that "npm ci" works and "npm install" changes nothing', () => {
    const lock = readLockText();
    expect(gapsOf(lock)).toEqual([]);
    expect(gapsOf(lock.replace('"node_modules/@esbuild/darwin-arm64"', '"node_modules/@esbuild/other"'))).toEqual([
      'node_modules/esbuild needs @esbuild/darwin-arm64',
    ]);
  });

  it('name no registry in the lock', () => {
    const lock = readLockText();
    expect(lock).not.toMatch(/"resolved":\s*"https?:/);
    expect(lock).not.toMatch(/https?:\/\/[^"]*(registry|npmjs|artifactory|nexus)/);
  });

  it.each(['start', 'api', 'worker'])('have a %s script that passes signals on to the engine', (script) => {
    expect(manifest.scripts[script]).toMatch(/^exec node /);
  });
});
