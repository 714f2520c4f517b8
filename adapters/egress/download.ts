import { request } from 'undici';
import type { Dispatcher } from 'undici';
import { Spool } from '../spool.ts';
import { EngineError } from '../../domain/error.ts';
import { networkFailureOf } from './network-failure.ts';
import type { NetworkFailure } from './network-failure.ts';

export interface DownloadRequest {
  url: string;
  /** The limit from the first look-up to the last byte, over all redirects. */
  timeoutMs: number;
  maxBytes: number;
  signal?: AbortSignal;
}

export interface DownloadToMemory extends DownloadRequest {
  /** Asked with the file's size once all of it has come whether the file may be read into memory. */
  room?: (sizeBytes: number) => Promise<boolean>;
}

/** The server's names for a file. */
interface Named {
  /** The content type that the server names, without parameters. */
  contentType: string | null;
  /** The file's name from the server or from the path, not yet cleaned. */
  fileName: string | null;
}

export interface Downloaded extends Named {
  bytes: Buffer;
}

export type DownloadFailure =
  | { code: NetworkFailure | 'invalid_url' | 'redirect_refused' | 'encoding_refused' | 'too_large' | 'no_room' }
  | { code: 'http_status'; status: number };

interface DownloadFailed {
  outcome: 'failed';
  failure: DownloadFailure;
}
export type Download = { outcome: 'done'; file: Downloaded } | DownloadFailed;
export type DownloadToSpool = { outcome: 'done'; named: Named } | DownloadFailed;

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

class Refused extends Error {
  readonly failure: DownloadFailure;

  constructor(failure: DownloadFailure) {
    super(failure.code);
    this.failure = failure;
  }
}

interface Via {
  dispatcher: Dispatcher;
  userAgent: string;
}

/** Fetches a file into memory, which holds it only once all of it has come. */
export async function download({ room, ...request }: DownloadToMemory, via: Via): Promise<Download> {
  await using spool = new Spool();
  const loaded = await downloadInto(spool, request, via);
  if (loaded.outcome === 'failed') return loaded;
  if (room && !(await room(spool.sizeBytes))) return { outcome: 'failed', failure: { code: 'no_room' } };
  return { outcome: 'done', file: { bytes: await spool.bytes(), ...loaded.named } };
}

/**
 * Fetches a file through the dispatcher that guards addresses. Each redirect is a new connection, which the dispatcher
 * judges again. Throws only where our own disk takes the file no more.
 */
export async function downloadInto(
  spool: Spool,
  { url, timeoutMs, maxBytes, signal: cancelled }: DownloadRequest,
  via: Via,
): Promise<DownloadToSpool> {
  const late = AbortSignal.timeout(timeoutMs);
  const signal = cancelled ? AbortSignal.any([late, cancelled]) : late;
  try {
    let target = addressOf(url, null);
    for (let redirects = 0; ; redirects += 1) {
      const answer = await request(target, {
        dispatcher: via.dispatcher,
        // Compressed bytes could grow without limit, so the server is asked not to compress.
        headers: { 'user-agent': via.userAgent, accept: '*/*', 'accept-encoding': 'identity' },
        signal,
      });
      const next = REDIRECTS.has(answer.statusCode) ? headerOf(answer, 'location') : null;
      if (next === null) return { outcome: 'done', named: await load(answer, target, { maxBytes, spool }) };
      drop(answer);
      if (redirects === MAX_REDIRECTS) throw new Refused({ code: 'redirect_refused' });
      target = addressOf(next, target);
    }
  } catch (error) {
    if (error instanceof EngineError) throw error;
    if (error instanceof Refused) return { outcome: 'failed', failure: error.failure };
    return { outcome: 'failed', failure: { code: signal.aborted ? 'timeout' : networkFailureOf(error) } };
  }
}

/** A redirect must not lead from a verified server to an unverified one. */
function addressOf(text: string, from: URL | null): URL {
  const url = URL.parse(text, from?.href);
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    throw new Refused({ code: from === null ? 'invalid_url' : 'redirect_refused' });
  }
  if (from?.protocol === 'https:' && url.protocol === 'http:') throw new Refused({ code: 'redirect_refused' });
  return url;
}

async function load(
  answer: Dispatcher.ResponseData,
  url: URL,
  { maxBytes, spool }: { maxBytes: number; spool: Spool },
): Promise<Named> {
  const refusal = refusalOf(answer, maxBytes);
  if (refusal !== null) {
    drop(answer);
    throw new Refused(refusal);
  }
  for await (const chunk of answer.body) {
    await spool.add(Buffer.from(chunk));
    if (spool.sizeBytes > maxBytes) throw new Refused({ code: 'too_large' });
  }
  return {
    contentType: headerOf(answer, 'content-type')?.split(';')[0]?.trim().toLowerCase() ?? null,
    fileName: fileNameOf(headerOf(answer, 'content-disposition') ?? '') ?? lastSegmentOf(url),
  };
}

function refusalOf(answer: Dispatcher.ResponseData, maxBytes: number): DownloadFailure | null {
  if (answer.statusCode !== 200) return { code: 'http_status', status: answer.statusCode };
  if ((headerOf(answer, 'content-encoding') ?? 'identity') !== 'identity') return { code: 'encoding_refused' };
  return Number(headerOf(answer, 'content-length') ?? 0) > maxBytes ? { code: 'too_large' } : null;
}

/** Closes the connection: reading an unwanted body to its end could take for ever. */
function drop(answer: Dispatcher.ResponseData): void {
  answer.body.on('error', () => undefined).destroy();
}

function headerOf(answer: Dispatcher.ResponseData, name: string): string | null {
  const value = answer.headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

function fileNameOf(disposition: string): string | null {
  const encoded = /filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1];
  if (encoded !== undefined) return decoded(encoded);
  const plain = /filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(disposition);
  return plain?.[1] ?? plain?.[2] ?? null;
}

/** Returns the last segment of a path as the file's name if it has an extension. */
function lastSegmentOf({ pathname }: URL): string | null {
  const segment = pathname.slice(pathname.lastIndexOf('/') + 1);
  return /.\.\w{1,8}$/.test(segment) ? decoded(segment) : null;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
