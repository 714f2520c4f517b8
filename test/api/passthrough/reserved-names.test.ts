import { describe, expect, it } from '@jest/globals';
import { isFreeWord, isReservedName } from '../../../api/passthrough/names.ts';
import { matchPassthrough } from '../../../api/passthrough/match.ts';
import { BACKEND_ROUTES } from '../../../api/passthrough/table/table.ts';
import { routes } from '../../../api/routes.ts';

const PREFIX = '/api/v1/';
const own = new Set(
  routes
    .filter(({ path }) => path.startsWith(PREFIX))
    .map(({ path }) => path.slice(PREFIX.length).split('/')[0] ?? '')
    .filter((word) => !word.startsWith(':')),
);
/** The path with a session, or anything else that has a name of its own, in the place of each parameter. */
const filled = (path: string): string => path.replaceAll(/:\w+|\{\w+\}/g, 'shop1');
/** A route of the engine matches segment by segment; a parameter takes any segment. */
const matches = (template: string, path: string): boolean => {
  const [wanted, given] = [template.split('/'), path.split('/')];
  return wanted.length === given.length && wanted.every((part, i) => part.startsWith(':') || part === given[i]);
};

describe('a request', () => {
  it('for a route of the engine is never passed on to the backend', () => {
    const both = routes.filter(({ method, path }) => matchPassthrough(method, filled(path)) !== undefined);
    expect(both.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it('for a route of the backend is never taken by a route of the engine whose path begins with a session', () => {
    const ofSessions = routes.filter(({ path }) => path.startsWith(`${PREFIX}:`));
    const passed = Object.values(BACKEND_ROUTES)
      .flat()
      .map(({ method, path }) => ({ method, path: filled(path.replace(/^\/api/, '/api/v1')) }))
      .filter(({ method, path }) => matchPassthrough(method, path) !== undefined);
    const both = passed.filter(({ method, path }) =>
      ofSessions.some((route) => route.method === method && matches(route.path, path)),
    );
    expect(both).toEqual([]);
    expect(passed.length).toBeGreaterThan(100);
  });
});

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
