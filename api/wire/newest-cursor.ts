import { z } from 'zod';
import { cursorOf } from './page.ts';

const Place = z.tuple([z.iso.datetime(), z.string()]);

/** The cursor of a list that shows the newest first, by the time at which the engine made each and its id. */
export const NewestCursor = cursorOf<{ createdAt: Date; id: string }>({
  read(text) {
    const [at, id] = Place.safeParse(text.split(' ')).data ?? [];
    return at === undefined || id === undefined ? undefined : { createdAt: new Date(at), id };
  },
  write: ({ createdAt, id }) => `${createdAt.toISOString()} ${id}`,
});
