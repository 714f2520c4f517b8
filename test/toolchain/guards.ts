import type { SourceFile } from './source-files.ts';

/** Returns a sentence for each fault, with its place and its fix. */
export type Guard = (files: readonly SourceFile[]) => string[];

const MAX_LINES = 400;
const MAX_SQL_COLUMNS = 120;

/** Databases have run these files, so they never change, not even their line breaks. */
export const RELEASED_MIGRATION = /^db\/migrations\/000[1-3]-/;

export const linesOf = (text: string): string[] => text.replace(/\n$/, '').split('\n');

/** A migration is as long as the list of what happens in it. */
export const guardLength: Guard = (files) =>
  files
    .filter(({ path }) => !path.startsWith('db/migrations/'))
    .map(({ path, text }) => ({ path, lines: linesOf(text).length }))
    .filter(({ lines }) => lines > MAX_LINES)
    .map(
      ({ path, lines }) =>
        `${path} has ${lines} lines and may have ${MAX_LINES}: it holds more than one concept, so give the second a file of its own.`,
    );

const BOUND = /\b(?:const|let) ((?:MOST|LONGEST|LARGEST)_[A-Z0-9_]+|[A-Z0-9_]+_(?:LIMIT|MAX))\b/;

/** One word for one thing: a reader finds a bound by its first letters. */
export const guardBounds: Guard = (files) =>
  files.flatMap(({ path, text }) =>
    linesOf(text)
      .map((line, index) => ({ place: `${path}:${index + 1}`, name: BOUND.exec(line)?.[1] }))
      .filter(({ name }) => name !== undefined)
      .map(({ place, name }) => `${place} names an upper bound ${name}: call it MAX_ and what it bounds.`),
  );

const HOLDS_SQL = /^db\/.*\.ts$|\.sql$/;

/** In TypeScript prettier breaks all but templates, and those of `db/` hold SQL. */
export const guardSqlWidth: Guard = (files) =>
  files
    .filter(({ path }) => HOLDS_SQL.test(path) && !RELEASED_MIGRATION.test(path))
    .flatMap(({ path, text }) =>
      linesOf(text)
        .map((line, index) => ({ place: `${path}:${index + 1}`, width: line.length }))
        .filter(({ width }) => width > MAX_SQL_COLUMNS)
        .map(
          ({ place, width }) =>
            `${place} is ${width} columns wide and may be ${MAX_SQL_COLUMNS}: break it at a clause, as a formatter would.`,
        ),
    );

const ELSEWHERE = /\bdesign,? (section )?\d|\bbackend('s)? contract\b|(?<!docs\/)\breference\/\w+\.md/i;

/** A reader of this repository cannot open what is not in it. */
export const guardCitations: Guard = (files) =>
  files.flatMap(({ path, text }) =>
    linesOf(text)
      .map((line, index) => ({ place: `${path}:${index + 1}`, cited: ELSEWHERE.exec(line)?.[0] }))
      .filter(({ cited }) => cited !== undefined)
      .map(
        ({ place, cited }) =>
          `${place} cites "${cited}", which this repository does not hold: say the fact itself, or put it into docs/ and name that page.`,
      ),
  );

const CITED_PAGE = /\b(docs\/(?:[\w-]+\/)*[\w-]+\.md)(?:#([\w-]+))?(?:`?, (?:(\d+)|"([^"]+)"))?/g;

/** The part of a page under a heading, up to the next; all of it without an anchor, undefined where there is none such. */
function sectionOf(page: string, anchor: string | undefined): string | undefined {
  if (anchor === undefined) return page;
  return page.split(/^#+ /m).find((section) => {
    const [heading = ''] = section.split('\n');
    return anchorOf(heading) === anchor;
  });
}

const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');

/** A citation of `docs/` needs its page, its heading (by anchor or in quotes), and the number in its list. */
export function guardPages(pages: readonly SourceFile[]): Guard {
  const texts = new Map(pages.map(({ path, text }) => [path, text]));
  return (files) =>
    files.flatMap(({ path, text }) =>
      linesOf(text).flatMap((line, index) =>
        [...(RELEASED_MIGRATION.test(path) ? '' : line).matchAll(CITED_PAGE)]
          .filter(([, page = '', anchor, number, heading]) => {
            const section = sectionOf(texts.get(page) ?? '', anchor ?? (heading && anchorOf(heading)));
            return !section || (anchor && number && !section.includes(`\n${number}. `));
          })
          .map(
            ([cited]) =>
              `${path}:${index + 1} cites "${cited}", which is not there: mend the citation, or write what it promises.`,
          ),
      ),
    );
}
