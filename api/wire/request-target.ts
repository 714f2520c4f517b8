import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { EngineError } from '../../domain/error.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const MAX_TARGET = 2_048;
const MAX_HEADERS = 64;
const SEGMENT = /^(?:[A-Za-z0-9._~!$&'()*+,=:@-]|%[0-9A-Fa-f]{2})+$/;
/**
 * Refuses an encoded slash, backslash, dot, percent or control character: the router and the backend would read it
 * differently.
 */
const ENCODED_TRAP = /%(?:2f|5c|2e|25|3b|7f|[01][0-9a-f])/i;
/**
 * Refuses encoded letters, digits, hyphens, underscores and tildes: `%61ll` is `all` to a backend and not to the
 * engine's router.
 */
const ENCODED_PLAIN = /%(?:2d|3[0-9]|[46][1-9a-f]|[57][0-9a]|5f|7e)/i;
const QUERY = /^[\x21\x22\x24-\x7e]*$/;
const ONCE = [
  'host',
  'authorization',
  'content-length',
  'content-type',
  'content-encoding',
  'transfer-encoding',
  'idempotency-key',
];
const KEY_HEADERS = ['x-api-key', 'api-key'];

/**
 * Runs before everything else and refuses a target that has more than one spelling, so that no route, guard or backend
 * can read a path differently from the others.
 */
export function requestTargetGate(): Middleware {
  return async (context, next) => {
    if (!METHODS.includes(context.method)) {
      throw new EngineError('method_not_allowed', `Use ${METHODS.join(', ')}.`, {
        headers: { allow: METHODS.join(', ') },
      });
    }
    const flaw = targetFlaw(context.req.url ?? '') ?? headerFlaw(context.req);
    if (flaw !== undefined) throw new EngineError('bad_request_target', flaw);
    await next();
  };
}

export function targetFlaw(target: string): string | undefined {
  if (target.length > MAX_TARGET) return `The target may have at most ${MAX_TARGET} characters.`;
  const [path = '', ...rest] = target.split('?');
  if (!QUERY.test(rest.join('?'))) return 'The query contains characters that must be percent-encoded.';
  if (path === '/') return undefined;
  if (!path.startsWith('/')) return 'The target must be a path that starts with a slash.';
  for (const segment of path.slice(1).split('/')) {
    if (segment === '') return 'The path has an empty segment; remove double and trailing slashes.';
    if (segment === '.' || segment === '..') return 'The path has a dot segment.';
    if (!SEGMENT.test(segment)) return 'The path contains characters that must be percent-encoded.';
    if (ENCODED_TRAP.test(segment) || ENCODED_PLAIN.test(segment))
      return 'The path contains an encoded character that is not accepted.';
    if (!isUtf8(segment)) return 'The path is not UTF-8.';
  }
  return undefined;
}

function isUtf8(segment: string): boolean {
  try {
    decodeURIComponent(segment);
    return true;
  } catch {
    return false;
  }
}

function headerFlaw(request: IncomingMessage): string | undefined {
  const names = request.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  if (names.length > MAX_HEADERS) return `The request may have at most ${MAX_HEADERS} headers.`;
  if (names.some((name) => name.includes('_'))) return 'Header names must not contain underscores.';
  const counts = Map.groupBy(names, (name) => name);
  const isRepeated = (name: string) => (counts.get(name)?.length ?? 0) > 1;
  if (KEY_HEADERS.some(isRepeated)) {
    throw new EngineError('ambiguous_credentials', 'Send one X-API-Key header with one key.');
  }
  const repeated = ONCE.find(isRepeated);
  return repeated === undefined ? undefined : `The header ${repeated} was sent more than once.`;
}
