import type { SessionCalls } from '../backend/backends.ts';
import type { MediaStore } from '../../domain/sending/media.ts';
import { sniffType } from '../../domain/sending/media-signature.ts';
import type { ContextMessage, PromptContext } from '../../domain/agent/prompt/context.ts';
import type { Models } from './models.ts';

export interface MediaParts {
  /** The model that will be asked. */
  model: string;
  /**
   * The messages that are to be answered. Files of older messages are left out: they had their turn, and a file that no
   * provider takes must not come back in every turn.
   */
  of: ReadonlySet<string>;
  models: Pick<Models, 'takes'>;
  /** The backend that holds the session of the messages. */
  backend: Pick<SessionCalls, 'getFile'>;
  store: MediaStore;
  signal: AbortSignal;
}

/** Only the newest files are sent, at most this many. */
const MAX_FILES = 3;
/** Every provider takes a file of this size. */
const MAX_BYTES = 5 * 1_048_576;
/** A file is waited for this long, because the answer must not wait for what the model can do without. */
const FETCH_TIMEOUT_MS = 5_000;

/**
 * Returns the context with the newest images and voice messages, if the model takes such files. A file that could not
 * be loaded is only named in words by the prompt.
 */
export async function loadModelMedia(context: PromptContext, parts: MediaParts): Promise<PromptContext> {
  const wanted = context.messages.filter((message) => mayBeTaken(message, parts)).slice(-MAX_FILES);
  const loaded = new Map(
    await Promise.all(wanted.map(async (message) => [message.id, await load(message, parts)] as const)),
  );
  return { ...context, messages: context.messages.map((message) => loaded.get(message.id) ?? message) };
}

function mayBeTaken({ id, direction, kind, media }: ContextMessage, { model, models, of }: MediaParts): boolean {
  if (!of.has(id) || direction !== 'in' || media === null || (media.url ?? media.storedKey) === null) return false;
  return (kind === 'image' || kind === 'audio') && models.takes(model, kind);
}

async function load(message: ContextMessage, parts: MediaParts): Promise<ContextMessage> {
  const { media } = message;
  const bytes = media && (await read(media, parts));
  if (!media || !bytes) return message;
  // The declared type may be wrong, and then providers refuse the whole request.
  const mimeType = sniffType(bytes);
  const isTaken = mimeType?.startsWith(`${message.kind}/`) === true && parts.models.takes(parts.model, mimeType);
  return isTaken ? { ...message, media: { ...media, mimeType, bytes } } : message;
}

async function read(
  { url, storedKey }: NonNullable<ContextMessage['media']>,
  { backend, store, signal }: MediaParts,
): Promise<Uint8Array | null> {
  if (storedKey !== null) return readStored(store, storedKey).catch(() => null);
  if (url === null) return null;
  return backend.getFile({ url, maxBytes: MAX_BYTES, timeoutMs: FETCH_TIMEOUT_MS, signal });
}

async function readStored(store: MediaStore, key: string): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (await store.get(key)) ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) return null;
    chunks.push(chunk);
  }
  return size === 0 ? null : Buffer.concat(chunks, size);
}
