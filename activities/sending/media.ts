import { createHash } from 'node:crypto';
import { createFairSlots } from '../../domain/fair-slots.ts';
import { recordMedia } from '../../db/conversations/media.ts';
import { findMessageById } from '../../db/conversations/message.ts';
import type { Message } from '../../db/conversations/message.ts';
import { MediaKind } from '../../domain/sending/content.ts';
import { storageFull } from '../../domain/tenants/storage.ts';
import { reserveStorage } from '../../db/media/storage.ts';
import { EngineError } from '../../domain/error.ts';
import { cleanFileName } from '../../domain/sending/file-name.ts';
import { checkMedia, mediaKey, mediaLimit } from '../../domain/sending/media.ts';
import type { FileContent, MediaFailure } from '../../domain/sending/media.ts';
import type { OutgoingFile } from '../../domain/sending/outgoing.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import type { DownloadFailure } from '../../adapters/egress/download.ts';
import { storeThumbnail } from '../thumbnails/store-thumbnail.ts';

/** `failed` is final. An error that is thrown is our own trouble (database, store) and says nothing about the file. */
export type PreparedMedia =
  | { state: 'ready' }
  | { state: 'failed'; reason: MediaFailure; detail: string }
  /** The file's server has trouble that may pass. */
  | { state: 'unavailable'; detail: string }
  /** This worker already fetches as many files as it may. */
  | { state: 'busy' };

/** A file in the store. Its bytes are in memory only once `load` has read them. */
export interface FileToLoad {
  sizeBytes: number;
  load: () => Promise<OutgoingFile>;
}

type MediaDependencies = Pick<ActivityDependencies, 'database' | 'egress' | 'media' | 'shares' | 'thumbnails'>;

const FETCH_WITHIN_MS = 60_000;
const PLACE_WAIT_MS = 30_000;
/** A send does not wait for long until its picture's thumbnail has its turn; without one it has none. */
const THUMBNAIL_WAIT_MS = 1_000;
const MEBIBYTE = 1_048_576;
/**
 * Bounds how many fetches run at once. A slow server must not hold up other agencies, and whoever waits for a place has
 * one of the worker's activities meanwhile.
 */
const FETCHES = { perOwner: 16, inAll: 32, waitingPerOwner: 8 };
/** Bounds the bytes of the files in memory: each is there once it has come, until it is in the store. */
const IN_MEMORY = { perOwner: 16, inAll: 32, bytes: { perOwner: 64 * MEBIBYTE, inAll: 128 * MEBIBYTE } };

export function createMediaActivities({ database, egress, media, shares, thumbnails }: MediaDependencies) {
  const fetches = createFairSlots({ ...FETCHES, shares });
  const memory = createFairSlots(IN_MEMORY);

  /**
   * Fetches the file of an outgoing message, checks it and stores it. Safe to repeat: a file is stored under its own
   * digest, the first record of a message stands, and a message that has its file is left alone.
   */
  async function prepareMedia({ messageId }: { messageId: string }): Promise<PreparedMedia> {
    const message = await database.read((queries) => findMessageById(queries, messageId));
    const source = message?.content?.attachment;
    // A message that is gone or has ended is not reported here: the claim does that.
    if (!message || !source || message.media || message.endedAt) return { state: 'ready' };
    const kind = MediaKind.parse(message.kind);
    const maxBytes = mediaLimit(kind, media.maxBytes);
    const giveBack = await fetches.acquire(message.agencyId, PLACE_WAIT_MS);
    if (!giveBack) return { state: 'busy' };
    const held = [giveBack];
    const room = async (sizeBytes: number): Promise<boolean> => {
      const mine = await memory.acquire(message.agencyId, PLACE_WAIT_MS, { bytes: sizeBytes });
      if (mine) held.push(mine);
      return mine !== null;
    };
    try {
      const download = await egress.get({ url: source.url, timeoutMs: FETCH_WITHIN_MS, maxBytes, room });
      if (download.outcome === 'failed') return failed(download.failure, maxBytes);
      const { bytes, contentType, fileName } = download.file;
      const checked = checkMedia(kind, bytes, {
        byTenant: source.mimeType ?? null,
        byServer: contentType,
        fileName: source.fileName ?? fileName,
      });
      if ('refused' in checked) return { state: 'failed', reason: 'media_type_refused', detail: checked.refused };
      const { mimeType } = checked;
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const key = mediaKey(message.agencyId, sha256);
      const { agencyId, tenantId } = message;
      const reserved = { id: `out_${messageId}`, scope: { agencyId, tenantId }, key, sizeBytes: bytes.length };
      const full = await database.statement((tx) => reserveStorage(tx, reserved));
      if (full !== null) return { state: 'failed', reason: 'media_storage_full', detail: storageFull(full).message };
      await media.store.put(key, bytes, mimeType);
      const picture = { agencyId: message.agencyId, key, mimeType, content: contentOf(bytes) };
      const thumbnail = await storeThumbnail({ thumbnails, media }, picture, THUMBNAIL_WAIT_MS);
      await database.statement((tx) =>
        recordMedia(tx, messageId, {
          url: null,
          mimeType,
          fileName: cleanFileName(source.fileName ?? fileName ?? ''),
          error: null,
          stored: { key, sizeBytes: bytes.length, sha256 },
          ...(thumbnail === null ? {} : { thumbnail }),
        }),
      );
      return { state: 'ready' };
    } finally {
      for (const each of held) each();
    }
  }

  /** Returns the stored file of a prepared message, for the call to the backend. */
  function storedFile(message: Pick<Message, 'media'>): FileToLoad {
    const { stored, mimeType, fileName } = message.media ?? {};
    if (!stored) throw new EngineError('unavailable', 'The message has no file in the media store.');
    const { key, sizeBytes } = stored;
    const about = { mimeType: mimeType ?? 'application/octet-stream', fileName: fileName ?? null };
    return { sizeBytes, load: async () => ({ data: await read(key, sizeBytes), ...about }) };
  }

  async function read(key: string, sizeBytes: number): Promise<Buffer> {
    const parts = await media.store.get(key);
    if (!parts) throw new EngineError('unavailable', 'The file of the message is not in the media store.');
    // The parts are written into one buffer, because joining them at the end would hold the file in memory twice.
    const data = Buffer.allocUnsafeSlow(sizeBytes);
    let size = 0;
    for await (const part of parts) {
      if (size + part.length > sizeBytes)
        throw new EngineError('unavailable', 'The media store returned another file.');
      data.set(part, size);
      size += part.length;
    }
    if (size < sizeBytes) throw new EngineError('unavailable', 'The media store returned only a part of a file.');
    return data;
  }

  return { prepareMedia, storedFile };
}

function contentOf(bytes: Uint8Array): FileContent {
  return {
    sizeBytes: bytes.length,
    async *chunks() {
      yield bytes;
    },
  };
}

/**
 * Turns a failed download into a state of the file. The detail never names the address, because the address may be
 * secret.
 */
function failed(failure: DownloadFailure, maxBytes: number): PreparedMedia {
  switch (failure.code) {
    case 'no_room':
      return { state: 'busy' };
    case 'too_large':
      return { state: 'failed', reason: 'media_too_large', detail: `The file has more than ${maxBytes} bytes.` };
    case 'http_status':
      if (failure.status >= 500 || [408, 425, 429].includes(failure.status)) {
        return unavailable(`The file's server returned ${failure.status}.`);
      }
      return gone(`The file's server returned ${failure.status}.`);
    case 'invalid_url':
      return gone('The address is not an http or https URL without credentials.');
    case 'blocked_address':
      return gone('The address is not a public one.');
    case 'redirect_refused':
      return gone('The address redirects too often, or to a forbidden address.');
    case 'encoding_refused':
      return gone("The file's server sends a compressed file, although it was asked not to.");
    case 'tls_error':
      return gone("The certificate of the file's server cannot be trusted.");
    case 'timeout':
      return unavailable(`The file did not arrive within ${FETCH_WITHIN_MS / 1_000} s.`);
    case 'dns_error':
    case 'connection_refused':
    case 'connection_reset':
    case 'network_unreachable':
    case 'invalid_response':
    case 'engine_error':
    case 'network_error':
      return unavailable(`The file's server could not be reached, or it broke off the connection (${failure.code}).`);
  }
}

function gone(detail: string): PreparedMedia {
  return { state: 'failed', reason: 'media_unavailable', detail };
}

function unavailable(detail: string): PreparedMedia {
  return { state: 'unavailable', detail };
}
