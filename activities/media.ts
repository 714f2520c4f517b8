import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { ApplicationFailure } from '@temporalio/activity';
import { createInFlightLimits } from '../backend/in-flight.ts';
import { recordMedia } from '../db/media.ts';
import { findMessageById } from '../db/message.ts';
import type { Message } from '../db/message.ts';
import { MediaKind } from '../domain/content.ts';
import { EngineError } from '../domain/error.ts';
import { cleanFileName } from '../domain/file-name.ts';
import { checkMedia, mediaKey, mediaLimit } from '../domain/media.ts';
import type { MediaFailure } from '../domain/media.ts';
import type { OutgoingFile } from '../domain/outgoing.ts';
import type { ActivityDependencies } from './dependencies.ts';
import type { DownloadFailure } from './download.ts';

/** `failed` is final; what another attempt can change is thrown as `media_unavailable`. */
export type PreparedMedia = { state: 'ready' } | { state: 'failed'; reason: MediaFailure; detail: string };

type MediaDependencies = Pick<ActivityDependencies, 'database' | 'egress' | 'media'>;

const FETCH_WITHIN_MS = 60_000;
const SLOT_WAIT_MS = 30_000;
/** A file under way is in memory: the caps bound that, and keep one agency's slow servers from holding up the others. */
const FETCHES = { perSession: 4, perBackend: 16 };

export function createMediaActivities({ database, egress, media }: MediaDependencies) {
  const fetches = createInFlightLimits(FETCHES);

  /**
   * Fetches the file of an outgoing message, checks it and stores it. Safe to repeat: a file is stored under its own
   * digest, the first record of a message stands, and a message that has its file is left alone.
   */
  async function prepareMedia({ messageId }: { messageId: string }): Promise<PreparedMedia> {
    const message = await database.read((queries) => findMessageById(queries, messageId));
    const source = message?.content?.attachment;
    // A message that is gone, or has ended, is the claim's to tell.
    if (!message || !source || message.media || message.endedAt) return { state: 'ready' };
    const kind = MediaKind.parse(message.kind);
    const release = await fetches.acquire(message.agencyId, SLOT_WAIT_MS);
    if (!release) throw unavailable('The worker fetches as many files as it may.');
    try {
      const maxBytes = mediaLimit(kind, media.maxBytes);
      const download = await egress.get({ url: source.url, timeoutMs: FETCH_WITHIN_MS, maxBytes });
      if (download.outcome === 'failed') return failed(download.failure, maxBytes);
      const { bytes, contentType, fileName } = download.file;
      const checked = checkMedia(kind, bytes, { byTenant: source.mimeType ?? null, byServer: contentType });
      if ('refused' in checked) return { state: 'failed', reason: 'media_type_refused', detail: checked.refused };
      const { mimeType } = checked;
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const key = mediaKey(message.agencyId, sha256);
      await media.store.put(key, bytes, mimeType);
      await database.read((queries) =>
        recordMedia(queries, messageId, {
          url: null,
          mimeType,
          fileName: cleanFileName(source.fileName ?? fileName ?? ''),
          error: null,
          stored: { key, sizeBytes: bytes.length, sha256 },
        }),
      );
      return { state: 'ready' };
    } finally {
      release();
    }
  }

  /** The file of a message that has been prepared, for the call to the backend. */
  async function loadMedia(message: Pick<Message, 'media'>): Promise<OutgoingFile> {
    const { stored, mimeType, fileName } = message.media ?? {};
    const file = stored && (await media.store.get(stored.key));
    if (!stored || !file) throw new EngineError('unavailable', 'The file of the message is not in the media store.');
    const data = await buffer(file);
    if (data.length !== stored.sizeBytes)
      throw new EngineError('unavailable', 'The media store gave a part of a file.');
    return { data, mimeType: mimeType ?? 'application/octet-stream', fileName: fileName ?? null };
  }

  return { prepareMedia, loadMedia };
}

/** What may be different in a moment is thrown, so that Temporal tries again. Nothing tells the address: it may be secret. */
function failed(failure: DownloadFailure, maxBytes: number): PreparedMedia {
  switch (failure.code) {
    case 'too_large':
      return { state: 'failed', reason: 'media_too_large', detail: `The file has more than ${maxBytes} bytes.` };
    case 'http_status':
      if (failure.status >= 500 || [408, 425, 429].includes(failure.status)) {
        throw unavailable(`The file's server answered ${failure.status}.`);
      }
      return gone(`The file's server answered ${failure.status}.`);
    case 'invalid_url':
      return gone('The address is not an http or https URL without credentials.');
    case 'blocked_address':
      return gone('The address is not a public one.');
    case 'redirect_refused':
      return gone('The address redirects too often, or to where it may not.');
    case 'encoding_refused':
      return gone("The file's server compresses although it was asked not to.");
    case 'tls_error':
      return gone("The certificate of the file's server cannot be trusted.");
    case 'timeout':
      throw unavailable(`The file did not come within ${FETCH_WITHIN_MS / 1_000} s.`);
    case 'dns_error':
    case 'connection_refused':
    case 'connection_reset':
    case 'network_unreachable':
    case 'network_error':
      throw unavailable(`The file's server could not be reached or broke off (${failure.code}).`);
  }
}

function gone(detail: string): PreparedMedia {
  return { state: 'failed', reason: 'media_unavailable', detail };
}

function unavailable(detail: string): ApplicationFailure {
  return ApplicationFailure.retryable(detail, 'media_unavailable' satisfies MediaFailure);
}
