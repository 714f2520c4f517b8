import Router from '@koa/router';
import type { RequestState } from '../wire/request-state.ts';

type Layers = Router<RequestState>['stack'];

/** A part of a template that fits no segment or many, as `{/*path}` does. */
const OPEN = /[{*]/;

/**
 * Makes a router that compares a path only with the routes that have as many segments, not with each of two hundred
 * patterns. Case and trailing slashes count: two spellings of a path are two paths, and only one of them is a route.
 */
export function createRouter(): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  const bySegments = new Map<number, Layers>();
  let listed = 0;
  const candidates = (all: Layers, segments: number): Layers => {
    // A route that was added since belongs to a list, too.
    if (listed !== all.length) bySegments.clear();
    listed = all.length;
    const found = bySegments.get(segments) ?? all.filter(({ path }) => mayHave(path, segments));
    bySegments.set(segments, found);
    return found;
  };
  const match = router.match.bind(router);
  router.match = (path, method) => {
    const all = router.stack;
    router.stack = candidates(all, path.split('/').length);
    try {
      return match(path, method);
    } finally {
      router.stack = all;
    }
  };
  return router;
}

function mayHave(path: string | RegExp, segments: number): boolean {
  return typeof path !== 'string' || OPEN.test(path) || path.split('/').length === segments;
}
