import { z } from 'zod';
import { explained } from '../explained.ts';

/** Why a file that somebody has sent is not there. */
export const MEDIA_ERROR_TEXTS = {
  media_pending:
    'It did not arrive within 20 seconds. `message.media` reports when it has arrived, or that it will not.',
  media_unavailable:
    'Neither the backend nor the network provides it any more, or it could not be fetched within a day.',
  media_too_large: 'It is larger than the engine stores.',
  media_storage_full:
    'Its tenant, or the agency, has reached its limit of stored bytes. `storage` in the usage of the tenant shows it.',
  media_expired: 'It is older than its tenant keeps files.',
  media_revoked: 'Its sender deleted the message for everyone, and the tenant keeps no files of such messages.',
  media_erased: 'The data of the person was erased.',
} as const;

export type MediaErrorCode = keyof typeof MEDIA_ERROR_TEXTS;

/** Why a file that was there was taken away, as its address says. */
export type FileEnd = 'expired' | 'revoked' | 'erased';

/** Why a file will not come any more. */
export type MediaGone = Exclude<MediaErrorCode, 'media_pending'>;

export function isMediaGone(word: string | null | undefined): word is MediaGone {
  return isMediaError(word) && word !== 'media_pending';
}

export const MediaErrorWord = z.string().meta({
  enum: Object.keys(MEDIA_ERROR_TEXTS),
  description: explained(
    'Why the file is not available. Missing if it is available or is being fetched.',
    MEDIA_ERROR_TEXTS,
  ),
});

export function isMediaError(word: string | null | undefined): word is MediaErrorCode {
  return typeof word === 'string' && Object.hasOwn(MEDIA_ERROR_TEXTS, word);
}
