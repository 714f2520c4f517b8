import type { ThumbnailRefusal } from '../../domain/network/thumbnail.ts';

/** The program's response to a picture. */
export type Made = { bytes: Uint8Array; width: number; height: number } | { refused: ThumbnailRefusal };
