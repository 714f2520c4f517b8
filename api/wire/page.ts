import { z } from 'zod';
import { answer } from './answer.ts';
import type { Answer } from './answer.ts';

/** A cursor says where the page before ended; callers cannot read it. */
export function cursorOf<Place>(codec: { read(text: string): Place | undefined; write(place: Place): string }) {
  return z.codec(z.string().max(256), z.custom<Place>(), {
    decode(text, context) {
      const place = codec.read(Buffer.from(text, 'base64url').toString());
      if (place !== undefined) return place;
      context.issues.push({ code: 'custom', input: text, message: 'is not a nextCursor' });
      return z.NEVER;
    },
    encode: (place) => Buffer.from(codec.write(place)).toString('base64url'),
  });
}

/**
 * Makes a page of rows. The caller asked the database for one row more than fits, and that row tells whether there are
 * more.
 */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  cursorOfLast: (last: Row) => string,
): { rows: Row[]; hasMore: boolean; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { rows: page, hasMore: last !== undefined, nextCursor: last === undefined ? null : cursorOfLast(last) };
}

export const Limit = z.coerce.number().int().min(1).max(100).default(20).meta({
  description: 'The maximum number of rows, 1 to 100.',
});
/** Tells whether the list goes on. */
export const HasMore = z.boolean().meta({ description: 'True if more rows follow.' });
/** Makes the parameter by which a list is asked for the page after the last one. */
export const nextPage = <Cursor extends z.ZodType>(cursor: Cursor) =>
  cursor
    .optional()
    .meta({ description: 'The `nextCursor` of the last response, for the page after it. Defaults to the first page.' });
export const NextCursor = z.string().nullable().meta({
  description: 'The `cursor` for the next page. Null on the last page.',
});
/** A time in a query, with any offset. */
export const Moment = z.iso.datetime({ offset: true }).transform((at) => new Date(at));

/** For lists whose response is a bare array in the spec's shape: their pages are longer. */
export const ArrayLimit = z.coerce.number().int().min(1).max(500).default(100).meta({
  description: 'The maximum number of rows, 1 to 500.',
});
/** The headers that say where such a list goes on. */
export const ARRAY_PAGE_HEADERS = {
  'X-Next-Cursor': {
    description: 'The `cursor` for the next page. Missing on the last page.',
    schema: { type: 'string' as const },
    example: 'c2VzXzAxOWE4ZjMwLWFhMDA',
  },
  Link: {
    description: 'The address of the next page, as `rel="next"` (RFC 8288). Missing on the last page.',
    schema: { type: 'string' as const },
    example: '</api/v1/sessions?limit=100&cursor=c2VzXzAxOWE4ZjMwLWFhMDA>; rel="next"',
  },
};

/** Answers a page of a list whose body is the array alone. `asked` is the query that asks for the same list. */
export function arrayPage<Row>(
  { rows, nextCursor }: { rows: Row[]; nextCursor: string | null },
  { path, asked }: { path: string; asked: Readonly<Record<string, string | number | null | undefined>> },
): Answer<Row[]> {
  if (nextCursor === null) return answer(200, rows);
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...asked, cursor: nextCursor })) {
    if (value !== null && value !== undefined) search.set(name, String(value));
  }
  return answer(200, rows, { 'x-next-cursor': nextCursor, link: `<${path}?${search.toString()}>; rel="next"` });
}
