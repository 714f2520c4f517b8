import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mount } from '../../../api/mount.ts';
import { createRouter } from '../../../api/route/path-router.ts';
import { createMatch } from '../../../api/passthrough/match.ts';
import { upstreamPath } from '../../../api/passthrough/request.ts';
import { BACKEND_ROUTES } from '../../../api/passthrough/table/table.ts';
import { routes } from '../../../api/routes.ts';
import { targetFlaw } from '../../../api/wire/request-target.ts';

const matchPassthrough = createMatch(routes);

/** Fragments that path tricks are made of, beside ordinary ones. */
const fragment = fc.constantFrom('.', '..', '/', '//', '%2e', '%2F', '%5c', '\\', '%00', '%25', ';a', '@', '+', '%40');
const word = fc.constantFrom('ses_1', 'chats', 'contacts', 'all', 'lids', 'pn', 'messages', 'é', '%C3%A9', '%20', 'a');
const segment = fc.array(fc.oneof(word, fragment), { minLength: 1, maxLength: 2 }).map((parts) => parts.join(''));
const path = fc.array(segment, { maxLength: 5 }).map((segments) => ['/api/v1', ...segments].join('/'));

describe('whatever the gate lets through', () => {
  test('has the same path after a URL parser has tidied it up', () => {
    fc.assert(
      fc.property(
        path,
        (target) => targetFlaw(target) !== undefined || new URL(target, 'http://a').pathname === target,
      ),
      { numRuns: 5_000 },
    );
  });

  test('stays, when it is passed on, below the session that was looked up', () => {
    fc.assert(
      fc.property(path, (target) => {
        const match = targetFlaw(target) === undefined ? matchPassthrough('GET', target) : undefined;
        if (match === undefined || match.route.who === 'nobody') return true;
        const upstream = upstreamPath(match, 'own', new URLSearchParams());
        const tidied = new URL(upstream, 'http://a');
        return (
          tidied.host === 'a' &&
          tidied.pathname + tidied.search === upstream &&
          (/^\/api\/((sessions|files)\/)?own(\/|$)/.test(upstream) || /^\/api\/[a-zS/-]+\?session=own$/.test(upstream))
        );
      }),
      { numRuns: 5_000 },
    );
  });

  // The paths of both tables, mixed segment by segment, with sessions that are named as either table begins.
  const paths = [
    ...Object.values(BACKEND_ROUTES).flatMap((rows) => rows.map(({ path: row }) => row)),
    ...routes.map((route) => route.path),
  ];
  const words = [...new Set(paths.flatMap((each) => each.split('/')))].filter((each) => each !== '');
  const filled = fc
    .tuple(
      fc.constantFrom(...paths),
      fc.boolean(),
      fc.array(fc.constantFrom('own', '1@c.us', ...words), { minLength: 8, maxLength: 8 }),
    )
    .map(([each, isPrefixed, values]) => {
      const target = each
        .split('/')
        .map((part, i) => (/^[{:]/.test(part) ? (values[i] ?? '').replaceAll(/[{}:]/g, '') : part))
        .join('/');
      return isPrefixed ? target.replace(/^\/api\/(?!v1\/)/, '/api/v1/') : target;
    });
  const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH');
  const router = createRouter();
  mount(
    router,
    routes.map((route) => ({ ...route, run: () => Promise.reject(new Error('This test calls nothing.')) })),
    {},
    {
      access: {
        identify: () => Promise.reject(new Error('This test asks nobody.')),
        watch: () => () => undefined,
        grant: () => Promise.reject(new Error('This test asks nobody.')),
      },
      admission: { admit: () => Promise.reject(new Error('This test asks nobody.')) },
    },
  );

  test('is one route of the engine or one that is passed on, and never both', () => {
    let own = 0;
    let passed = 0;
    fc.assert(
      fc.property(method, fc.oneof(path, filled), (verb, target) => {
        if (targetFlaw(target) !== undefined) return true;
        const isOwn = router.match(target, verb).route;
        const isPassed = matchPassthrough(verb, target) !== undefined;
        own += Number(isOwn);
        passed += Number(isPassed);
        return !(isOwn && isPassed);
      }),
      { numRuns: 20_000 },
    );
    // A test that meets neither kind would prove nothing.
    expect(own).toBeGreaterThan(100);
    expect(passed).toBeGreaterThan(100);
  });
});
