import { Readable } from 'node:stream';
import type Router from '@koa/router';
import type { ParameterizedContext } from 'koa';
import type { MediaLinks } from '../../db/conversations/media-links.ts';
import type { Message } from '../../db/conversations/message.ts';
import { EngineError, notFound } from '../../domain/error.ts';
import { createFairSlots } from '../../domain/fair-slots.ts';
import type { StoredMedia } from '../../domain/network/network-event.ts';
import { isMediaError, MEDIA_ERROR_TEXTS } from '../../domain/sending/media-error.ts';
import { nameOf } from '../../domain/sending/file-name.ts';
import { mayBeShown } from '../../domain/sending/media.ts';
import type { ByteRange, MediaStore } from '../../domain/sending/media.ts';
import { enterFor } from '../wire/doors.ts';
import { cutAfter, cutWhenIdle } from '../wire/idle.ts';
import type { RequestState } from '../wire/request-state.ts';

/** What the route reads of a message. A contact's picture is served in the same way, and may be another tomorrow. */
export type ServedFile = Pick<Message, 'sessionId' | 'kind' | 'media'> & { mayChange?: boolean };

export interface MediaServing {
  bounds?: Partial<MediaBounds>;
  store: MediaStore;
  links: MediaLinks;
  /**
   * Finds a message, or a contact's picture, by its id alone, because the signature has already shown that the engine
   * made the address.
   */
  findFile: (id: string) => Promise<ServedFile | null>;
  /** Has a file fetched again that the store has lost; false when nobody could give it. */
  fetchAgain: (id: string) => Promise<boolean>;
}

/** The answers that may be under way, and how long a reader may leave one lying. */
export interface MediaBounds {
  perLink: number;
  perSession: number;
  inAll: number;
  waitMs: number;
  idleMs: number;
}

const BOUNDS: MediaBounds = { perLink: 4, perSession: 4, inAll: 64, waitMs: 1_000, idleMs: 30_000 };
/** An answer that takes longer than at this rate, and a minute besides, is cut. */
const SLOWEST_BYTES_PER_SECOND = 16 * 1_024;
const LEAST_MS = 60_000;

const PATH = '/media/:messageId/:signature';
/** The file comes from outside, so a browser must not run its scripts or treat it as a page of the engine's origin. */
const POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'";

/**
 * Serves a message's file at its public, permanent address. The route takes no key, because the signature in the
 * address proves that the engine gave it out.
 */
export function mountMedia(
  router: Router<RequestState>,
  { store, links, findFile, fetchAgain, bounds: given }: MediaServing,
): void {
  const bounds = { ...BOUNDS, ...given };
  const perLink = createFairSlots({ perOwner: bounds.perLink, inAll: bounds.inAll });
  const perSession = createFairSlots({ perOwner: bounds.perSession, inAll: bounds.inAll });

  async function missing(messageId: string): Promise<EngineError> {
    if (!(await fetchAgain(messageId))) return notFound('file');
    return new EngineError('unavailable', 'The file is being fetched again. Repeat the request in some seconds.', {
      headers: { 'retry-after': '5' },
    });
  }

  router.get(PATH, async (context) => {
    context.state.route = PATH;
    const { messageId = '', signature = '' } = context.params;
    if (!links.isGenuine(messageId, signature)) throw notFound('file');
    await enterFor(context.res, [{ slots: perLink, owner: messageId }], bounds.waitMs);
    const message = await findFile(messageId);
    const stored = message?.media?.stored;
    if (!message || !stored) throw withoutFile(message);
    await enterFor(context.res, [{ slots: perSession, owner: message.sessionId }], bounds.waitMs);
    const range = rangeOf(context.get('range'), stored.sizeBytes);
    if (range === 'unsatisfiable') {
      context.status = 416;
      context.set('content-range', `bytes */${stored.sizeBytes}`);
      return;
    }
    context.status = 200;
    context.etag = stored.sha256;
    if (context.fresh) {
      context.status = 304;
      return;
    }
    if (context.method !== 'HEAD') {
      const bytes = await store.get(stored.key, range);
      if (bytes === null) throw await missing(messageId);
      context.body = Readable.from(bytes, { objectMode: false });
      cutWhenIdle(context.res, bounds.idleMs);
      cutAfter(context.res, LEAST_MS + (stored.sizeBytes / SLOWEST_BYTES_PER_SECOND) * 1_000);
    }
    describe(context, message, stored, range);
  });
}

function withoutFile(message: ServedFile | null): EngineError {
  const why = message?.media?.error;
  return isMediaError(why) ? new EngineError('file_gone', MEDIA_ERROR_TEXTS[why]) : notFound('file');
}

function describe(
  context: ParameterizedContext<RequestState>,
  { kind, media, mayChange = false }: ServedFile,
  { sizeBytes }: StoredMedia,
  range: ByteRange | undefined,
): void {
  context.set('content-type', media?.mimeType ?? 'application/octet-stream');
  context.set('content-security-policy', POLICY);
  context.set('cache-control', mayChange ? 'private, max-age=300' : 'private, max-age=31536000, immutable');
  context.set('accept-ranges', 'bytes');
  const mimeType = media?.mimeType ?? null;
  const isShown = kind !== 'document' && mayBeShown(mimeType);
  context.attachment(media?.fileName ?? nameOf(kind, mimeType), { type: isShown ? 'inline' : 'attachment' });
  context.length = sizeBytes;
  if (range === undefined) return;
  context.status = 206;
  context.length = range.last - range.first + 1;
  context.set('content-range', `bytes ${range.first}-${range.last}/${sizeBytes}`);
}

/** Reads a single byte range, the form that media players use; any other form is answered with the whole file. */
function rangeOf(header: string, sizeBytes: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header) ?? [];
  if (from === '' && to === '') return undefined;
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  const first = from === '' ? Math.max(0, sizeBytes - Number(to)) : Number(from);
  const last = from === '' || to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1);
  return first <= last ? { first, last } : 'unsatisfiable';
}
