import { describe, expect, it } from '@jest/globals';
import { isFreeWord, isReservedName } from '../../../api/passthrough/names.ts';
import { routes } from '../../../api/routes.ts';

const PREFIX = '/api/v1/';
const own = new Set(
  routes.filter(({ path }) => path.startsWith(PREFIX)).map(({ path }) => path.slice(PREFIX.length).split('/')[0] ?? ''),
);

describe('a new session', () => {
  it.each([...own])('is not named %s, with which a route of the engine begins', (word) => {
    expect(isFreeWord(word)).toBe(false);
  });

  it.each(['contacts', 'apps', 'server', 'Sessions', 'FILES', 'checknumberstatus'])(
    'is not named %s, which the backend reads otherwise',
    (word) => {
      expect(isFreeWord(word) || !isReservedName(word)).toBe(false);
    },
  );

  it('may have any other name', () => {
    for (const name of ['shop', 'default', 'message']) expect(isFreeWord(name)).toBe(true);
  });
});
