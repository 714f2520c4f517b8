import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type Router from '@koa/router';
import type { ParameterizedContext } from 'koa';
import type { MediaLinks } from '../../db/conversations/media-links.ts';
import { EngineError, notFound } from '../../domain/error.ts';
import { agencyOfMedia } from '../../domain/sending/media.ts';
import { isMediaGone } from '../../domain/sending/media-error.ts';
import type { MediaStore } from '../../domain/sending/media.ts';
import { enterFor } from '../wire/doors.ts';
import { createGate, HELD } from '../wire/held.ts';
import { cutAfter } from '../wire/idle.ts';
import { cutSlowReader } from '../wire/pace.ts';
import type { Pace } from '../wire/pace.ts';
import type { RequestState } from '../wire/request-state.ts';
import type { Watch } from '../wire/watch.ts';
import { describe, goneFile, rangeOf, thumbnailOf, wholeFile, withoutFile } from './served-file.ts';
import type { Served, ServedFile, StoredFile } from './served-file.ts';

export interface MediaServing {
  bounds?: Partial<MediaBounds>;
  store: MediaStore;
  links: MediaLinks;
  /**
   * Finds a message, or a contact's picture, by its id alone, because the signature has already shown that the engine
   * made the address.
   */
  findFile: (id: string) => Promise<ServedFile | null>;
  fetching: {
    /** Has a message's file fetched that is not in the store; false when nobody could give it. */
    begin: (id: string) => Promise<boolean>;
    isUnderWay: (id: string) => Promise<boolean>;
    /** Wakes who waits for the file. */
    watch: Watch;
  };
}

/** The answers that may be under way, and how slowly they may be read. */
export interface MediaBounds extends Pace {
  perLink: number;
  perSession: number;
  inAll: number;
  waitMs: number;
  /** A response waits this long for a file under way. */
  fetchMs: number;
}

const { perOwner: perSession, ...MEDIA } = HELD.media;
const BOUNDS: MediaBounds = { ...MEDIA, perLink: HELD.mediaLink.perOwner, perSession, fetchMs: 10_000 };
/** An answer that takes longer than at this rate, and a minute besides, is cut. */
const SLOWEST_BYTES_PER_SECOND = 16 * 1_024;
const LEAST_MS = 60_000;

const PATH = '/media/:messageId/:signature';
const THUMBNAIL_PATH = `${PATH}/thumbnail`;

type Context = ParameterizedContext<RequestState> & { params: Record<string, string> };

/**
 * Serves a message's file at its public, permanent address, and its thumbnail below that. The routes take no key,
 * because the signature in the address proves that the engine gave it out.
 */
export function mountMedia(
  router: Router<RequestState>,
  { store, links, findFile, fetching, bounds: given }: MediaServing,
): void {
  const bounds = { ...BOUNDS, ...given };
  const ofLink = createGate('mediaLink', { ...bounds, perOwner: bounds.perLink });
  // The agency of a link is known only once its file is found.
  const lookUps = createGate('mediaLink', { ...bounds, perOwner: bounds.perLink });
  const ofSession = createGate('media', { ...bounds, perOwner: bounds.perSession });

  /** Null for a file that is still to be fetched. */
  async function found(id: string): Promise<StoredFile | null> {
    // The door is left again, because a wait for a file must not take the place of one that is there.
    const leave = await lookUps.enter({ owner: id, agencyId: id });
    try {
      const file = await findFile(id);
      if (!file?.media || isMediaGone(file.media.error)) throw withoutFile(file);
      const { stored } = file.media;
      return stored === undefined ? null : { ...file, stored };
    } finally {
      leave();
    }
  }

  /** Has a file fetched that is not in the store, and waits a moment for it. */
  async function fetched(id: string, response: ServerResponse): Promise<StoredFile> {
    if (!(await fetching.begin(id))) throw id.startsWith('msg_') ? goneFile('media_unavailable') : notFound('file');
    const left = new AbortController();
    response.once('close', () => left.abort());
    const look = async () => ((await fetching.isUnderWay(id)) ? undefined : found(id));
    const wait = { waitMs: bounds.fetchMs, signal: left.signal, group: id };
    const waited = await fetching.watch.until([id], look, wait);
    if (waited.outcome === 'found' && waited.value !== null) return waited.value;
    throw new EngineError('unavailable', 'The file is being fetched. Retry the request in a few seconds.', {
      headers: { 'retry-after': '5' },
    });
  }

  async function serve(context: Context, servedOf: (file: StoredFile) => Served): Promise<void> {
    const { messageId = '', signature = '' } = context.params;
    if (!links.isGenuine(messageId, signature)) throw notFound('file');
    const file = (await found(messageId)) ?? (await fetched(messageId, context.res));
    const agencyId = agencyOfMedia(file.stored.key);
    const doors = [
      ofLink.doorOf({ owner: messageId, agencyId }),
      ofSession.doorOf({ owner: file.sessionId, agencyId }),
    ];
    await enterFor(context.res, doors, bounds.waitMs);
    if (await answered(context, servedOf(file))) return;
    if (await answered(context, servedOf(await fetched(messageId, context.res)))) return;
    throw new EngineError('unavailable', 'The media store does not return the file. Retry the request later.');
  }

  /** False when the store has lost the file. */
  async function answered(context: Context, served: Served): Promise<boolean> {
    const { key, sizeBytes, etag } = served;
    const range = rangeOf(context.get('range'), sizeBytes);
    if (range === 'unsatisfiable') {
      context.status = 416;
      context.set('content-range', `bytes */${sizeBytes}`);
      return true;
    }
    context.status = 200;
    context.etag = etag;
    if (context.fresh) {
      context.status = 304;
      return true;
    }
    if (context.method !== 'HEAD') {
      const bytes = await store.get(key, range);
      if (bytes === null) return false;
      context.body = Readable.from(bytes, { objectMode: false });
      cutSlowReader(context.res, bounds);
      cutAfter(context.res, LEAST_MS + (sizeBytes / SLOWEST_BYTES_PER_SECOND) * 1_000);
    }
    describe(context, served, range);
    return true;
  }

  router.get(PATH, (context) => {
    context.state.route = PATH;
    return serve(context, wholeFile);
  });
  router.get(THUMBNAIL_PATH, (context) => {
    context.state.route = THUMBNAIL_PATH;
    return serve(context, thumbnailOf);
  });
}
