import { cancellationSignal } from '@temporalio/activity';
import type { CallsOf } from '../../adapters/backend/backends.ts';
import { digestOf } from '../../adapters/backend/http/digest.ts';
import { Spool } from '../../adapters/spool.ts';
import { findMediaToFetch, putOffFetch } from '../../db/media/fetch.ts';
import type { FetchEnd, FetchError, MediaToFetch } from '../../db/media/fetch.ts';
import { reserveStorage } from '../../db/media/storage.ts';
import { endFetch } from '../../db/media/news.ts';
import { EngineError } from '../../domain/error.ts';
import { createFairSlots } from '../../domain/fair-slots.ts';
import { cleanFileName } from '../../domain/sending/file-name.ts';
import { mediaKey, receivedType, thumbnailKey } from '../../domain/sending/media.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import type { DownloadFailure } from '../../adapters/egress/download.ts';
import type { Egress } from '../../adapters/egress/egress.ts';
import { beating } from '../heartbeat.ts';
import { storeThumbnail } from '../thumbnails/store-thumbnail.ts';
import { promiseNextHistoryFile } from './history-files.ts';

export type InboundMediaActivities = ReturnType<typeof createInboundMediaActivities>;

/** A file that comes more slowly than within this time, and at this rate besides, is begun again. */
const FETCH_WITHIN_MS = 5 * 60_000;
const SLOWEST_BYTES_PER_SECOND = 256 * 1_024;
/** The most fetches at once. Each file is in a temporary file meanwhile, and not in memory. */
const FETCHES = { perOwner: 16, inAll: 32, waitingPerOwner: 32 };
/** Files that nobody waits for have few places of their own, and take none of the others. */
const BACKGROUND_FETCHES = { perOwner: 2, inAll: 4 };
const PLACE_WAIT_MS = 30_000;

interface MediaDependencies extends Pick<
  ActivityDependencies,
  'database' | 'media' | 'shares' | 'inboundMediaMaxBytes' | 'historyMediaDays' | 'thumbnails'
> {
  backends: CallsOf<'loadFile' | 'askForFile'>;
  egress: Pick<Egress, 'load'>;
}

/** The result of a fetch, for readers of the execution. */
export type Fetched = 'stored' | 'nothing_to_fetch' | FetchError;

type Loaded = 'done' | 'gone' | 'too_large';

export function createInboundMediaActivities(deps: MediaDependencies) {
  const { database, backends, egress, media, shares, inboundMediaMaxBytes, historyMediaDays } = deps;
  const fetches = createFairSlots({ ...FETCHES, shares });
  const backgroundFetches = createFairSlots(BACKGROUND_FETCHES);

  /**
   * Fetches the file that a contact has sent, stores it and tells it. The backend keeps a file for minutes, so where it
   * has it no more it is asked to fetch it again. Safe to repeat: a file is stored under its own digest, and the first
   * end of a fetch counts. One that nobody waited for is followed by the next of its kind.
   * Rows: message, media_fetch, held_event, event, delivery.
   */
  async function fetchFile({ messageId }: { messageId: string }): Promise<Fetched> {
    const wanted = await database.read((queries) => findMediaToFetch(queries, messageId));
    if (wanted === null) return 'nothing_to_fetch';
    return beating(() => fetchInPlace(wanted));
  }

  async function fetchInPlace(wanted: MediaToFetch): Promise<Fetched> {
    const places = wanted.background ? backgroundFetches : fetches;
    const giveBack = await places.acquire(wanted.agencyId, PLACE_WAIT_MS);
    if (!giveBack) throw new EngineError('unavailable', 'This worker is already fetching as many files as it may.');
    try {
      await using spool = new Spool();
      const end = await fetched(wanted, spool);
      await database.transaction((tx) => endFetch(tx, wanted.messageId, end));
      if (wanted.background) await promiseNextHistoryFile(database, historyMediaDays, wanted.sessionId);
      return 'error' in end ? end.error : 'stored';
    } finally {
      giveBack();
    }
  }

  /**
   * Ends a fetch for which the backend was waited too long; one that nobody waits for is promised again some time.
   * Rows: message, media_fetch, held_event, event, delivery.
   */
  async function giveUpFile({ messageId }: { messageId: string }): Promise<void> {
    if (await database.statement((tx) => putOffFetch(tx, messageId))) return;
    await database.transaction((tx) => endFetch(tx, messageId, { error: 'media_unavailable' }));
  }

  async function fetched(wanted: MediaToFetch, spool: Spool): Promise<FetchEnd> {
    if (wanted.isRevoked) return { error: 'media_revoked' };
    const kept = await stillStored(wanted);
    if (kept !== null) return kept;
    if (wanted.session.isGone) return { error: 'media_unavailable' };
    const known = wanted.media?.url ?? null;
    const first = known === null ? 'gone' : await load(wanted, known, spool);
    const loaded = first === 'gone' ? await askAgain(wanted, spool) : first;
    if (loaded === 'gone') return { error: 'media_unavailable' };
    if (loaded === 'too_large') return { error: 'media_too_large' };
    return store(wanted, spool);
  }

  /** A file that was missing may be there again, as when a disk was away. */
  async function stillStored({ agencyId, media: file }: MediaToFetch): Promise<FetchEnd | null> {
    const { stored, fileName = null, thumbnail: before } = file ?? {};
    if (!stored || !(await isThere(stored.key))) return null;
    const mimeType = file?.mimeType ?? 'application/octet-stream';
    const isKept = before && ('refused' in before || (await isThere(thumbnailKey(stored.key))));
    const content = { sizeBytes: stored.sizeBytes, chunks: () => read(stored.key) };
    const thumbnail = isKept ? before : await storeThumbnail(deps, { agencyId, key: stored.key, mimeType, content });
    return { stored, mimeType, fileName, ...(thumbnail === null ? {} : { thumbnail }) };
  }

  async function isThere(key: string): Promise<boolean> {
    const bytes = await media.store.get(key, { first: 0, last: 0 });
    for await (const _ of bytes ?? []) break;
    return bytes !== null;
  }

  async function* read(key: string): AsyncGenerator<Uint8Array> {
    yield* (await media.store.get(key)) ?? [];
  }

  /** Has the backend fetch the file from the network again, which gives it a new address. */
  async function askAgain(wanted: MediaToFetch, spool: Spool): Promise<Loaded> {
    const { chatId, networkId, fromMe, participant, session } = wanted;
    if (networkId === null) return 'gone';
    const { name, platform } = session;
    const message = { session: name, chatId, networkId, fromMe, participant, platform };
    const file = await backends.of(session).askForFile(message);
    if (file === null) return 'gone';
    const loaded = file.url === null ? 'gone' : await load(wanted, file.url, spool);
    if (loaded !== 'gone') return loaded;
    throw new EngineError('backend_unavailable', 'The messaging backend could not fetch the file from the network.');
  }

  async function load({ session }: MediaToFetch, url: string, spool: Spool): Promise<Loaded> {
    const timeoutMs = FETCH_WITHIN_MS + (inboundMediaMaxBytes / SLOWEST_BYTES_PER_SECOND) * 1_000;
    const request = { url, maxBytes: inboundMediaMaxBytes, timeoutMs, signal: cancellationSignal() };
    const answer = await backends.of(session).loadFile(request, spool);
    if (answer !== 'elsewhere') return answer;
    // A backend may keep its files in a store of its own, and then names an address there that expires.
    const download = await egress.load(request, spool);
    return download.outcome === 'failed' ? failed(download.failure) : 'done';
  }

  async function store(
    { messageId, agencyId, tenantId, kind, media: file }: MediaToFetch,
    spool: Spool,
  ): Promise<FetchEnd> {
    const { sha256, head } = await digestOf(spool);
    const key = mediaKey(agencyId, sha256);
    const mimeType = receivedType(kind, head, file?.mimeType ?? null, file?.fileName ?? null);
    const reserved = { id: `in_${messageId}`, scope: { agencyId, tenantId }, key, sizeBytes: spool.sizeBytes };
    // The message is there already, and says why its file is not.
    if ((await database.statement((tx) => reserveStorage(tx, reserved))) !== null)
      return { error: 'media_storage_full' };
    await media.store.put(key, spool, mimeType);
    const stored = { key, sizeBytes: spool.sizeBytes, sha256 };
    const thumbnail = await storeThumbnail(deps, { agencyId, key, mimeType, content: spool });
    const fileName = cleanFileName(file?.fileName ?? '');
    return { stored, mimeType, fileName, ...(thumbnail === null ? {} : { thumbnail }) };
  }

  return { fetchFile, giveUpFile };
}

function failed(failure: DownloadFailure): Loaded {
  if (failure.code === 'too_large') return 'too_large';
  if (failure.code === 'http_status' && failure.status < 500 && ![408, 425, 429].includes(failure.status))
    return 'gone';
  throw new EngineError(
    'backend_unavailable',
    `The store of the messaging backend did not return a file: ${failure.code}.`,
  );
}
