import type { IncomingHttpHeaders } from 'node:http';
import { invalid } from '../../domain/error.ts';

/** Percent-encoded, because a header holds no other letters than those of English. */
const ACTOR_HEADER = 'x-engine-actor';
const MAX_LENGTH = 128;

/** Reads the name of the person who acts with a key that several people share. */
export function actorOf(headers: IncomingHttpHeaders): string | undefined {
  const given = headers[ACTOR_HEADER];
  if (given === undefined || given === '') return undefined;
  const name = typeof given === 'string' ? decoded(given) : undefined;
  if (name !== undefined && name.length > 0 && name.length <= MAX_LENGTH && !name.includes('\u0000')) return name;
  throw invalid({
    pointer: 'header/X-Engine-Actor',
    message: `must be a percent-encoded name of 1 to ${MAX_LENGTH} characters`,
  });
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text).trim();
  } catch {
    return undefined;
  }
}
