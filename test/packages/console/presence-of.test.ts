import { describe, expect, it } from '@jest/globals';
import { othersThan, refreshMs, tabOf } from '../../../packages/console/pages/inbox/about/presence-of.ts';

describe('the tab of a person in a chat', () => {
  it('shows itself before the engine forgets it, also while little of the limit is left', () => {
    expect([1, 4, 12].map(refreshMs)).toEqual([10_000, 20_000, 20_000]);
  });

  it('is the same one after a reload', () => {
    const kept = new Map<string, string>();
    const storage = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
    };
    const first = tabOf(() => storage);
    expect(first).toMatch(/^[a-z0-9]+$/);
    expect(tabOf(() => storage)).toBe(first);
    kept.clear();
    expect(tabOf(() => storage)).not.toBe(first);
  });

  it('is a tab without a storage, too', () => {
    const refused = () => {
      throw new Error('The browser keeps nothing.');
    };
    expect(tabOf(refused)).toMatch(/^[a-z0-9]+$/);
  });

  it('leaves out its person by the id, and by a name in other tabs', () => {
    const self = { viewerId: 'a', name: 'Ada', state: 'reading' as const };
    const second = { ...self, viewerId: 'b' };
    const unnamed = { viewerId: 'c', name: null, state: 'reading' as const };
    const bo = { viewerId: 'd', name: 'Bo', state: 'writing' as const };
    expect(othersThan({ tab: 'a', name: 'Ada' }, [self, second, unnamed, bo])).toEqual([unnamed, bo]);
    expect(othersThan({ tab: 'a', name: '' }, [self, second, unnamed])).toEqual([second, unnamed]);
  });
});
