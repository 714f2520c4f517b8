import { describe, expect, it } from '@jest/globals';
import { docsPages } from '../../toolchain/source-files.ts';

/** A link to a view of Temporal's UI: its text, its query, and the name under which a browser saves the view. */
const VIEW = /\[([^\]]+)\]\([^)]*\/workflows\?query=([^&)]+)&savedQuery=([^)]+)\)/g;

const VIEWS = docsPages()
  .flatMap(({ path: page, text }) => [...text.matchAll(VIEW)].map((match) => ({ page, match })))
  .map(({ page, match: [, text = '', query = '', name = ''] }) => ({
    page,
    text,
    query: decodeURIComponent(query),
    name: decodeURIComponent(name),
  }));

describe('a view of Temporal’s UI that a guide links to', () => {
  it.each(VIEWS)('$page: is saved under the text of its link, $text', ({ text, name }) => {
    expect(name.toLowerCase()).toBe(text.toLowerCase());
  });

  it('has the same name in all guides', () => {
    expect(VIEWS.length).toBeGreaterThan(10);
    const names = Map.groupBy(VIEWS, ({ query }) => query);
    for (const views of names.values()) expect(new Set(views.map(({ name }) => name)).size).toBe(1);
  });
});
