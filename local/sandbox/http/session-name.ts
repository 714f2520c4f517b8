import { z } from 'zod';

const Body = z.looseObject({ session: z.string() });

/** Path segments after `/api` that name a resource and not a session. */
const NOT_SESSIONS = new Set([
  'sessions',
  'contacts',
  'server',
  'files',
  'keys',
  'apps',
  'screenshot',
  'version',
  'messages',
]);

/** Reads the session that a call names in its path, its query or its body. */
export function sessionNamed(path: string, query: Record<string, unknown>, body: unknown): string | undefined {
  const [, , first, second] = path.split('/').map(decoded);
  if ((first === 'sessions' || first === 'files') && second) return second;
  if (first && second && !NOT_SESSIONS.has(first) && first !== 'send') return first;
  if (typeof query['session'] === 'string') return query['session'];
  const parsed = Body.safeParse(body);
  return parsed.success ? parsed.data.session : undefined;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
