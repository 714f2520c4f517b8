import type { ParameterizedContext } from 'koa';
import type { Message } from '../../db/conversations/message.ts';
import { EngineError, notFound } from '../../domain/error.ts';
import type { StoredMedia } from '../../domain/network/network-event.ts';
import { isMediaGone, MEDIA_ERROR_TEXTS } from '../../domain/sending/media-error.ts';
import type { MediaGone } from '../../domain/sending/media-error.ts';
import { shownName } from '../../domain/sending/file-name.ts';
import { mayBeShown, servedType, thumbnailKey } from '../../domain/sending/media.ts';
import type { ByteRange } from '../../domain/sending/media.ts';
import { THUMBNAIL_TYPE } from '../../domain/network/thumbnail.ts';
import type { RequestState } from '../wire/request-state.ts';

/**
 * The fields of a message that the route reads. A contact's picture is served in the same way, and may change tomorrow.
 */
export type ServedFile = Pick<Message, 'sessionId' | 'kind' | 'media'> & { mayChange?: boolean };

/** A file that the store should have. */
export interface StoredFile extends ServedFile {
  stored: StoredMedia;
}

/** The fields of a file in a response. */
export interface Served {
  key: string;
  sizeBytes: number;
  etag: string;
  mimeType: string | null;
  fileName: string;
  isShown: boolean;
  mayChange: boolean;
}

/** The file comes from outside, so a browser must not run its scripts or treat it as a page of the engine's origin. */
const POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'";

export function wholeFile({ kind, media, stored, mayChange = false }: StoredFile): Served {
  const mimeType = media?.mimeType ?? null;
  return {
    key: stored.key,
    sizeBytes: stored.sizeBytes,
    etag: stored.sha256,
    mimeType,
    fileName: shownName(kind, mimeType, media?.fileName ?? null),
    isShown: kind !== 'document' && mayBeShown(mimeType),
    mayChange,
  };
}

export function thumbnailOf({ media, stored }: StoredFile): Served {
  const thumbnail = media?.thumbnail;
  if (!thumbnail || 'refused' in thumbnail) throw notFound('file');
  return {
    key: thumbnailKey(stored.key),
    sizeBytes: thumbnail.sizeBytes,
    etag: `${stored.sha256}-thumbnail`,
    mimeType: THUMBNAIL_TYPE,
    fileName: 'thumbnail.webp',
    isShown: true,
    mayChange: false,
  };
}

/** Makes the error for a file that is not there: one that is gone says why. */
export function withoutFile(file: ServedFile | null): EngineError {
  const why = file?.media?.error;
  return isMediaGone(why) ? goneFile(why) : notFound('file');
}

export function goneFile(why: MediaGone): EngineError {
  return new EngineError('file_gone', MEDIA_ERROR_TEXTS[why], { reason: why.slice('media_'.length) });
}

export function describe(
  context: ParameterizedContext<RequestState>,
  { sizeBytes, mimeType, fileName, isShown, mayChange }: Served,
  range: ByteRange | undefined,
): void {
  context.set('content-type', servedType(mimeType));
  context.set('content-security-policy', POLICY);
  context.set('cache-control', mayChange ? 'private, max-age=300' : 'private, max-age=31536000, immutable');
  context.set('accept-ranges', 'bytes');
  context.attachment(fileName, { type: isShown ? 'inline' : 'attachment' });
  context.length = sizeBytes;
  if (range === undefined) return;
  context.status = 206;
  context.length = range.last - range.first + 1;
  context.set('content-range', `bytes ${range.first}-${range.last}/${sizeBytes}`);
}

/** Reads a single byte range, the form that media players use; any other form is answered with the whole file. */
export function rangeOf(header: string, sizeBytes: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header) ?? [];
  if (from === '' && to === '') return undefined;
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  const first = from === '' ? Math.max(0, sizeBytes - Number(to)) : Number(from);
  const last = from === '' || to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1);
  return first <= last ? { first, last } : 'unsatisfiable';
}
