import type { FileContent } from '../../domain/sending/media.ts';
import { thumbnailKey } from '../../domain/sending/media.ts';
import { mayHaveThumbnail, THUMBNAIL_TYPE } from '../../domain/network/thumbnail.ts';
import type { ThumbnailState } from '../../domain/network/thumbnail.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** A picture in the store, or on its way there. */
interface StoredPicture {
  agencyId: string;
  key: string;
  mimeType: string;
  content: FileContent;
}

/**
 * Makes the thumbnail of a picture and stores it; null for other files, and where it had no turn in time. Safe to
 * repeat: a thumbnail is stored under the key of its picture.
 */
export async function storeThumbnail(
  { thumbnails, media }: Pick<ActivityDependencies, 'thumbnails' | 'media'>,
  { agencyId, key, mimeType, content }: StoredPicture,
  waitMs?: number,
): Promise<ThumbnailState | null> {
  if (!mayHaveThumbnail(mimeType)) return null;
  const made = await thumbnails.make(agencyId, content, waitMs);
  if (made === null || 'refused' in made) return made;
  const { bytes, width, height } = made;
  await media.store.put(thumbnailKey(key), bytes, THUMBNAIL_TYPE);
  return { sizeBytes: bytes.length, width, height };
}
