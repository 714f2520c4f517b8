import { describe, test } from '@jest/globals';
import fc from 'fast-check';
import { matchPassthrough } from '../../../api/passthrough/policy.ts';
import { upstreamPath } from '../../../api/passthrough/request.ts';
import { targetFlaw } from '../../../api/wire/request-target.ts';

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
        const match = targetFlaw(target) === undefined ? matchPassthrough(target) : undefined;
        if (match === undefined) return true;
        const upstream = upstreamPath(match, 'own', new URLSearchParams());
        const tidied = new URL(upstream, 'http://a');
        return (
          tidied.host === 'a' &&
          tidied.pathname + tidied.search === upstream &&
          (upstream.startsWith('/api/own/') || /^\/api\/contacts(\/[a-z-]+)?\?session=own$/.test(upstream))
        );
      }),
      { numRuns: 5_000 },
    );
  });
});
