import { z } from 'zod';

/** The pictures of which thumbnails are made. */
const PICTURES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif']);

export function mayHaveThumbnail(mimeType: string): boolean {
  return PICTURES.has(mimeType);
}

export const THUMBNAIL_TYPE = 'image/webp';

/** Why a picture has no thumbnail; kept, so that nobody tries again. */
const ThumbnailRefusal = z.enum(['too_large', 'too_many_pixels', 'not_readable', 'too_slow', 'crashed']);
export type ThumbnailRefusal = z.output<typeof ThumbnailRefusal>;

const StoredThumbnail = z.object({ sizeBytes: z.int(), width: z.int(), height: z.int() });
export type StoredThumbnail = z.output<typeof StoredThumbnail>;

export const ThumbnailState = z.union([StoredThumbnail, z.object({ refused: ThumbnailRefusal })]);
export type ThumbnailState = z.output<typeof ThumbnailState>;
