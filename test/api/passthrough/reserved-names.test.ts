import { describe, expect, it } from '@jest/globals';
import { mount } from '../../../api/mount.ts';
import { createRouter } from '../../../api/route/path-router.ts';
import { isFreeWord, isReservedName } from '../../../api/passthrough/names.ts';
import { createMatch } from '../../../api/passthrough/match.ts';
import { BACKEND_ROUTES } from '../../../api/passthrough/table/table.ts';
import { routes } from '../../../api/routes.ts';

const matchPassthrough = createMatch(routes);
const PREFIX = '/api/v1/';
/** A path that begins with the session has no word of its own. */
const own = new Set(
  routes
    .filter(({ path }) => path.startsWith(PREFIX))
    .map(({ path }) => path.slice(PREFIX.length).split('/')[0] ?? '')
    .filter((word) => !word.startsWith(':')),
);
/** The path with a session, or anything else that has a name of its own, in the place of each parameter. */
const filled = (path: string): string => path.replaceAll(/:\w+|\{\w+\}/g, 'shop1');
/** The router as the application has it. It asks the table of the backend's routes before it takes a path. */
const router = createRouter();
const nobody = () => Promise.reject(new Error('This test asks nobody.'));
mount(
  router,
  routes.map((route) => ({ ...route, run: nobody })),
  {},
  { access: { identify: nobody, watch: () => () => undefined, grant: nobody }, admission: { admit: nobody } },
);

describe('a request', () => {
  it('for a route of the engine is never passed on to the backend', () => {
    const both = routes.filter(({ method, path }) => matchPassthrough(method, filled(path)) !== undefined);
    expect(both.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it('for a route of the backend is never taken by the engine, also where its path begins with a session', () => {
    const passed = Object.values(BACKEND_ROUTES)
      .flat()
      .map(({ method, path }) => ({ method, path: filled(path.replace(/^\/api/, '/api/v1')) }))
      .filter(({ method, path }) => matchPassthrough(method, path) !== undefined);
    expect(passed.filter(({ method, path }) => router.match(path, method).route)).toEqual([]);
    expect(passed.length).toBeGreaterThan(100);
  });
});

describe('a new session', () => {
  it.each([...own])('is not named %s, with which a route of the engine begins', (word) => {
    expect(isFreeWord(word)).toBe(false);
  });

  const literals = routes.flatMap(({ path }) => path.split('/').filter((part) => /^[\w-]+$/.test(part)));
  it.each([...new Set(literals)])('is not named %s, which is a part of a path of the engine', (word) => {
    expect(isFreeWord(word)).toBe(false);
  });

  it.each(['contacts', 'apps', 'server', 'Sessions', 'FILES', 'checknumberstatus'])(
    'is not named %s, which the backend reads otherwise',
    (word) => {
      expect(isFreeWord(word) || !isReservedName(word)).toBe(false);
    },
  );

  it('may have any other name', () => {
    for (const name of ['shop', 'default', 'statuses']) expect(isFreeWord(name)).toBe(true);
  });
});
