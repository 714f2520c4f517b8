import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** By the names of the methods: what was asked, without the tenant, and what was answered, by its status. */
const Book = z.record(
  z.string(),
  z.object({
    request: z.record(z.string(), z.unknown()).optional(),
    replies: z.record(z.string(), z.unknown()),
    /** Answers of 200 to other ways of asking, each with what was different. */
    otherReplies: z.array(z.object({ summary: z.string(), value: z.unknown() })).optional(),
  }),
);
export type ExampleBook = z.infer<typeof Book>;

let book: ExampleBook | undefined;

/**
 * Reads what `npm run record-examples` has recorded: real requests and answers of an engine, one of each method. They
 * are read when a document is first made, because nothing else needs them.
 */
export function recordedExamples(): ExampleBook {
  book ??= Book.parse(JSON.parse(readFileSync(new URL('./examples.json', import.meta.url), 'utf8')));
  return book;
}
