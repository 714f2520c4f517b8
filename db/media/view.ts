import type { NetworkMedia } from '../../domain/network/network-event.ts';
import { cleanFileName } from '../../domain/sending/file-name.ts';
import { isMediaError, isMediaGone } from '../../domain/sending/media-error.ts';
import type { MediaView } from '../../domain/sending/message.ts';
import type { ThumbnailState } from '../../domain/network/thumbnail.ts';
import type { MediaLinks } from '../conversations/media-links.ts';

export interface MessageFile {
  messageId: string;
  media: NetworkMedia | null | undefined;
  /** The request's own facts of a file that the engine sends. */
  named?: { mimeType?: string | undefined; fileName?: string | undefined } | undefined;
}

function thumbnailView(thumbnail: ThumbnailState, url: string): Pick<MediaView, 'thumbnail'> {
  if ('refused' in thumbnail) return {};
  return { thumbnail: { url: `${url}/thumbnail`, width: thumbnail.width, height: thumbnail.height } };
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
    // Whoever asks at the address for a file that is not fetched yet has it fetched.
    url: media && !isMediaGone(error) ? links.urlOf(messageId) : null,
    mimeType: media?.mimeType ?? named?.mimeType ?? null,
    fileName: cleanFileName(media?.fileName ?? named?.fileName ?? ''),
    sizeBytes: stored?.sizeBytes ?? null,
    sha256: stored?.sha256 ?? null,
    ...(stored && media.thumbnail ? thumbnailView(media.thumbnail, links.urlOf(messageId)) : {}),
    ...(!stored && isMediaError(error) ? { error } : {}),
  };
}
