import type { NetworkMedia } from '../../domain/network/network-event.ts';
import { cleanFileName } from '../../domain/sending/file-name.ts';
import { isMediaError } from '../../domain/sending/media-error.ts';
import type { MediaView } from '../../domain/sending/message.ts';
import type { MediaLinks } from '../conversations/media-links.ts';

export interface MessageFile {
  messageId: string;
  media: NetworkMedia | null | undefined;
  /** What the request said of a file that we send. */
  named?: { mimeType?: string | undefined; fileName?: string | undefined } | undefined;
}

/**
 * Shows a message's file by the engine's own address: the backend's address needs its key and expires, and an address
 * that a tenant gave may be secret. Null when the message has no file.
 */
export function mediaView({ messageId, media, named }: MessageFile, links: MediaLinks): MediaView | null {
  if (!media && !named) return null;
  const stored = media?.stored;
  const error = media?.error;
  return {
    url: stored ? links.urlOf(messageId) : null,
    mimeType: media?.mimeType ?? named?.mimeType ?? null,
    fileName: cleanFileName(media?.fileName ?? named?.fileName ?? ''),
    sizeBytes: stored?.sizeBytes ?? null,
    sha256: stored?.sha256 ?? null,
    ...(!stored && isMediaError(error) ? { error } : {}),
  };
}
