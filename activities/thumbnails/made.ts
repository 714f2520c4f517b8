import type { ThumbnailRefusal } from '../../domain/network/thumbnail.ts';

/** What the program answers to a picture. */
export type Made = { bytes: Uint8Array; width: number; height: number } | { refused: ThumbnailRefusal };
