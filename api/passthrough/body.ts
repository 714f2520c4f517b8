import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { EngineError, invalid } from '../../domain/error.ts';
import { hasBody, lengthOf, readBody, readLargeJson, refuseAllButJson } from '../wire/body.ts';
import { JsonGuard, tooLarge } from './json-guard.ts';
import { requireJudgeable } from './judgeable.ts';
import { OURS } from './request.ts';
import type { BackendRoute } from './table/row.ts';

const MEBIBYTE = 1_048_576;
/** A body of this size at most is read and judged as a whole. */
const MAX_JUDGED_BYTES = MEBIBYTE;
/** The backend takes no larger body. One with a file that must be read as a whole needs room in memory. */
export const MAX_FILE_BODY_BYTES = 50 * MEBIBYTE;
const MAX_STREAMED_BYTES = 128 * MEBIBYTE;

/** `fields` are a JSON body that was read, a large one with its file; `stream` is one that goes on as it comes. */
export type PassedBody =
  | { kind: 'none' }
  | { kind: 'fields'; fields: Record<string, unknown>; isLarge: boolean }
  | { kind: 'stream'; stream: Readable; length: number | undefined };

/** The part of a request's body that must be in memory at once: almost none, a whole file, or never the whole. */
export type BodySize = 'small' | 'file' | 'streamed';

const Fields = z.record(z.string(), z.unknown());

/** Tells how the body of a request for the route is read, before any of it is. */
export function sizeOf(request: IncomingMessage, { files, sessionIn }: BackendRoute): BodySize {
  if (files.length === 0 || !hasBody(request)) return 'small';
  const length = lengthOf(request);
  if (length !== undefined && length <= MAX_JUDGED_BYTES) return 'small';
  // A session in the path needs no look into the body.
  return sessionIn === 'path' ? 'streamed' : 'file';
}

export async function readPassedBody(
  request: IncomingMessage,
  route: BackendRoute,
  { size, room }: { size: BodySize; room: (sizeBytes: number) => Promise<void> },
): Promise<PassedBody> {
  if (route.method === 'GET' || !hasBody(request)) {
    return route.sessionIn === 'body' ? { kind: 'fields', fields: {}, isLarge: false } : { kind: 'none' };
  }
  if (size === 'streamed') return streamed(request, route);
  let isLarge = false;
  const roomForLarge = async (sizeBytes: number): Promise<void> => {
    isLarge = sizeBytes > MAX_JUDGED_BYTES;
    if (isLarge) await room(sizeBytes);
  };
  const body =
    size === 'file'
      ? await readLargeJson(request, MAX_FILE_BODY_BYTES, roomForLarge)
      : await readBody(request, 'json', MAX_JUDGED_BYTES);
  const fields = Fields.safeParse(body);
  if (!fields.success) throw new EngineError('malformed_json', 'The body must be a JSON object.');
  requireJudgeable(fields.data, route);
  return { kind: 'fields', fields: fields.data, isLarge };
}

/**
 * The engine never has the whole body, so the names that it would write itself are refused where they stand, and the
 * shape is judged while it comes.
 */
function streamed(request: IncomingMessage, { files, previews }: BackendRoute): PassedBody {
  refuseAllButJson(request);
  const length = lengthOf(request);
  if (length !== undefined && length > MAX_STREAMED_BYTES) throw tooLarge(MAX_STREAMED_BYTES);
  const refused = ['url', ...OURS, ...(previews ? ['linkPreview', 'linkPreviewHighQuality'] : [])];
  const guard = new JsonGuard({ refused, files, maxBytes: MAX_STREAMED_BYTES });
  // It may break off before the backend's connection reads it, or after: an error that nobody hears ends the process.
  guard.on('error', () => undefined);
  request.once('error', (error) => guard.destroy(error));
  request.once('close', () => {
    if (!request.complete) guard.destroy(new Error('The client left.'));
  });
  request.pipe(guard);
  // Nobody reads on when the guard has ended early, and unread bytes would hold up the client. The pipe pauses the
  // request when it hears of that end, so it must hear first.
  guard.once('close', () => request.resume());
  return { kind: 'stream', stream: guard, length };
}

/** Returns the text that the body has under the name, for the names by which the engine is told whom it is for. */
export function textIn({ fields }: { fields: Record<string, unknown> }, name: string): string | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw invalid({ pointer: `/${name}`, message: 'must be a string' });
}

/**
 * Writes the body as the backend gets it: without our own names, and with the caller's own session where the backend
 * looks for it. A name that stands twice in the body of the client stands once here, so nobody reads another value than
 * the engine has judged.
 */
export function writtenBody(route: BackendRoute, fields: Record<string, unknown>, sessionName: string): string {
  const own = Object.fromEntries(Object.entries(fields).filter(([name]) => !OURS.some((ours) => ours === name)));
  const rest = route.previews ? { ...own, linkPreview: false, linkPreviewHighQuality: false } : own;
  return JSON.stringify(route.sessionIn === 'body' ? { session: sessionName, ...rest } : rest);
}
