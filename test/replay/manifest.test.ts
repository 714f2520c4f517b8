import { describe, expect, it } from '@jest/globals';
import { VERSION } from '../../bin/version.ts';
import { changedHistories, digestHistories, readManifest } from './manifest.ts';

describe('the histories of releases', () => {
  it('are as they were recorded', () => {
    expect(changedHistories(readManifest(), digestHistories(), VERSION)).toEqual([]);
  });

  const manifest = { '1.0.0': { 'a.json': 'one', 'b.json': 'two' } };
  const cases = [
    ['changed', { '1.0.0': { 'a.json': 'other', 'b.json': 'two' } }, '1.0.0/a.json was changed'],
    ['removed', { '1.0.0': { 'a.json': 'one' } }, '1.0.0/b.json was removed'],
    ['added', { '1.0.0': { 'a.json': 'one', 'b.json': 'two', 'c.json': 'three' } }, '1.0.0/c.json was added'],
  ] as const;

  it.each(cases)('of a finished release may not be %s: it is to be restored', (_, found, what) => {
    const said = changedHistories(manifest, found, '1.1.0');
    expect(said).toEqual([expect.stringContaining(what)]);
    expect(said[0]).toContain('git checkout origin/main -- test/replay/histories/1.0.0');
  });

  it('of a finished release may not be removed all at once', () => {
    expect(changedHistories(manifest, {}, '1.1.0')).toHaveLength(2);
  });

  it('of the version that is being made are recorded again', () => {
    const said = changedHistories(manifest, { '1.0.0': { 'a.json': 'other', 'b.json': 'two' } }, '1.0.0');
    expect(said).toEqual([expect.stringContaining('npm run record-histories')]);
  });
});
