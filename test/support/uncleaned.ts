import type { MediaStore } from '../../domain/sending/media.ts';

/** The half of a media store that only the clean-up uses, for tests in which none is done. */
export const UNCLEANED: Pick<MediaStore, 'delete' | 'keys'> = {
  delete: () => Promise.reject(new Error('Nothing is deleted.')),
  keys: () => {
    throw new Error('Nothing is listed.');
  },
};
