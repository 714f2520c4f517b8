import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { errorPage } from '../../../api/docs/error-pages.ts';
import { guideListPage, guidePage, homePage, searchPage } from '../../../api/docs/guide-pages.ts';
import {
  guideFile,
  movedTo,
  NAMED_PAGES,
  pageOf,
  readPicture,
  readSnippet,
  servedLink,
} from '../../../api/docs/guides.ts';
import { guideOf, places } from '../../../api/docs/library.ts';
import { renderGuide } from '../../../api/docs/render.ts';
import { search } from '../../../api/docs/search.ts';
import { SERVED, SHELVES } from '../../../api/docs/shelves.ts';
import { ERROR_CODES } from '../../../domain/error.ts';
import { docsPages, ROOT } from '../../toolchain/source-files.ts';

const FILES = SERVED;
const NAVIGATION = SHELVES.flatMap(({ files }) => files);
/** The links of the guides to pages of Temporal, as a start without settings has it. */
const VIEWS = 'http://127.0.0.1:8233/namespaces/default/workflows';
const LINK = /(?<!!)\[[^\]]*\]\(([^)\s]+)\)/g;
const sources = FILES.map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));

/** Says what is wrong with a link of a guide: on a git host, where it leads to files, and as it is served. */
async function wrongLink(file: string, href: string): Promise<string | null> {
  if (/^https?:/.test(href)) return null;
  const [path = '', anchor] = href.split('#');
  const target = path === '' ? file : posix.join(posix.dirname(file), path);
  if (!existsSync(join(ROOT, target))) return `${file} links ${href}, which is not there`;
  const served = servedLink(file, href);
  const isGuide = FILES.includes(target);
  if (!isGuide) return anchor === undefined ? null : `${file} links ${href}, whose part nobody can check`;
  if (served === null) return `${file} links ${href}, which is not served`;
  const sections = (await guideOf(pageOf(target)))?.sections ?? [];
  const isThere = anchor === undefined || sections.some((section) => section.anchor === anchor);
  return isThere ? null : `${file} links ${href}, and that page has no such heading`;
}

describe('the guides', () => {
  // test/deploy/image-files.test.ts tries that the image has them.
  it('are all of docs/, each under a name of its own', () => {
    for (const { path } of docsPages()) expect(FILES).toContain(path);
    for (const file of FILES) expect(guideFile(pageOf(file))).toBe(file);
  });

  it('are in the navigation once, by their folders, without the decisions', () => {
    const listed = docsPages().filter(({ path }) => !path.startsWith('docs/decisions/'));
    for (const { path } of listed) expect(NAVIGATION).toContain(path);
    expect(new Set(NAVIGATION).size).toBe(NAVIGATION.length);
    expect(NAVIGATION.filter((path) => path.startsWith('docs/decisions/'))).toEqual([]);
    const titles = SHELVES.map(({ title }) => title).join(', ');
    expect(titles).toBe('Start, Guides, Webhooks, Reference, Operate, Extend, Evaluate');
    for (const { files } of SHELVES) expect(files.length).toBeGreaterThan(2);
  });

  it('are still found under the names of the first release', () => {
    const former = ['dashboards', 'webhooks', 'operators', 'runbooks', 'scaling', 'authors', 'beside', 'decisions'];
    for (const page of former) expect([page, guideFile(movedTo(page) ?? '')]).toEqual([page, expect.any(String)]);
    expect(movedTo('words')).toBeUndefined();
    expect(movedTo('nothing')).toBeUndefined();
  });

  it('link the views of Temporal where it runs on this machine, and tell nobody where it runs elsewhere', async () => {
    const linking = pageOf(sources.find(({ text }) => text.includes(VIEWS))?.file ?? '');
    const shown = (url: string) => guidePage(linking, { url, namespace: 'other' });
    expect(await shown('http://127.0.0.1:9233')).toContain('http://127.0.0.1:9233/namespaces/other/workflows?query=');
    expect(await shown('http://127.0.0.1:9233')).not.toContain('127.0.0.1:8233/namespaces');
    expect(await shown('https://temporal.internal')).toBe(await guidePage(linking));
  });

  it('link only what is there, on a git host and as they are served', async () => {
    const links = sources.flatMap(({ file, text }) =>
      [...text.matchAll(LINK)].map(([, href = '']) => ({ file, href })),
    );
    expect(links.length).toBeGreaterThan(60);
    const wrong = await Promise.all(links.map(({ file, href }) => wrongLink(file, href)));
    expect(wrong.filter((each) => each !== null)).toEqual([]);
    expect(await wrongLink('docs/start/concepts.md', 'words.md#no-such-part')).toContain('no such heading');
    expect(await wrongLink('docs/start/concepts.md', 'nothing.md')).toContain('not there');
  });

  it('list their headings below the title where there are many', async () => {
    const html = (await guidePage('words')) ?? '';
    const contents =
      /<\/h1>\s*<details><summary>On this page<\/summary><ul>(.*?)<\/ul><\/details>/s.exec(html)?.[1] ?? '';
    const anchors = [...contents.matchAll(/href="#([^"]+)"/g)].map(([, anchor]) => anchor);
    expect(anchors).toContain('tenant');
    for (const anchor of anchors) expect(html).toContain(`id="${anchor}"`);
    expect(await guidePage('security-policy')).not.toContain('<details>');
  });

  it('lead from page to page, from the first page and from each error', async () => {
    const pages = [homePage(), await guideListPage(), ...(await Promise.all(ERROR_CODES.map(errorPage)))];
    for (const html of pages) expect(html).toMatch(/href="[./]*docs"/);
    const served = await Promise.all(FILES.map(async (file) => guideOf(pageOf(file))));
    const hrefs = served.flatMap((guide) =>
      [...(guide?.html.matchAll(/href="([^"]+)"/g) ?? [])].map(([, href]) => href ?? ''),
    );
    for (const href of new Set(hrefs)) {
      const [page = ''] = href.split('#');
      const isNamed = [...NAMED_PAGES.values()].includes(page);
      const isKnown = page === '' || /^https?:/.test(page) || isNamed || guideFile(page) !== undefined;
      const isSnippet =
        page.startsWith('snippets/') && (await readSnippet(page.slice('snippets/'.length))) !== undefined;
      expect([href, isKnown || isSnippet]).toEqual([href, true]);
    }
  });

  it('show only pictures that are there and served, at addresses from their own page', async () => {
    const inFiles = sources.flatMap(({ text }) => [...text.matchAll(/!\[[^\]]+\]\(/g)]).length;
    const served = await Promise.all(FILES.map(async (file) => guideOf(pageOf(file))));
    const pictures = served.flatMap((guide) => [...(guide?.html.matchAll(/<img src="([^"]*)"/g) ?? [])]);
    expect(pictures).toHaveLength(inFiles);
    expect(inFiles).toBeGreaterThan(0);
    for (const [, source = ''] of pictures) {
      expect(source).toMatch(/^images\//);
      expect((await readPicture(source.slice('images/'.length)))?.subarray(1, 4).toString()).toBe('PNG');
    }
  });

  it('show a picture that is not served as its words', () => {
    const { html } = renderGuide('# T\n\n![A <cat>](cat.png)\n', { linkOf: () => null });
    expect(html).toContain('<p>A &lt;cat&gt;</p>');
  });

  it('show drawings as lists of their arrows', async () => {
    const served = await Promise.all(FILES.map(async (file) => guideOf(pageOf(file))));
    expect(served.filter((guide) => guide?.html.includes('flowchart'))).toEqual([]);
    const concepts = (await guideOf('concepts'))?.html;
    expect(concepts).toContain('<li><b>Dashboard</b> → API (send: 202 once stored)</li>');
    expect(concepts).toContain('<li><b>Backend: WAHA or sandbox</b> ↔ network</li>');
    const worker = '<li><b>worker: runs the rest</b> → workflows: deterministic stories</li>';
    expect((await guideOf('architecture'))?.html).toContain(worker);
  });

  it('link the pages of the engine that they name as code, and the guides beside the engine', async () => {
    const readme = (await guideOf('readme'))?.html;
    expect(readme).toContain('<a href="api"><code>/docs/api</code></a>');
    expect(readme).toContain('<a href="typescript-client">');
    expect(readme).toContain('<a href="n8n">');
    const { html } = renderGuide('# T\n\n[`/docs/api`](x) `/docs/api` `/docs/apis`\n', {
      linkOf: (href) => href,
      pageNamed: (code) => NAMED_PAGES.get(code),
    });
    expect(html.match(/<a /g)).toHaveLength(2);
  });

  it('link a term to its own heading, once a page', async () => {
    const terms = ((await guideOf('words'))?.sections ?? []).map(({ anchor }) => anchor);
    const links = sources.flatMap(({ file, text }) =>
      [...text.matchAll(/\]\((?:[^)\s]*\/)?words\.md#([^)\s]+)\)/g)].map(([, term = '']) => ({ file, term })),
    );
    expect(links.length).toBeGreaterThan(30);
    expect(links.filter(({ term }) => !terms.includes(term))).toEqual([]);
    const once = new Set(links.map(({ file, term }) => `${file}#${term}`));
    expect(links.map(({ file, term }) => `${file}#${term}`).filter((link) => !once.delete(link))).toEqual([]);
  });

  it('cannot bring tags of their own, or links that run something', () => {
    const { html } = renderGuide('# T\n\n<script>x</script> [l](javascript:x)\n\n<!-- for a test -->\n\n`<b>`\n', {
      linkOf: (href) => href,
    });
    expect(html).not.toMatch(/<script|href="javascript|for a test|<b>/);
    expect(html).toContain('&lt;script&gt;');
  });

  it('have the headings that git hosts make of them', () => {
    const { sections } = renderGuide('# A, b & c\n## `x` of "Y"\n## A, b & c\n', { linkOf: (href) => href });
    expect(sections.map(({ anchor }) => anchor)).toEqual(['a-b--c', 'x-of-y', 'a-b--c-1']);
  });

  it('are found by their words, headings first', async () => {
    const found = search(await places(), 'idempotency key');
    expect(found.map(({ place }) => place.address.split('#')[0])).toContain('retry-safely');
    expect(search(await places(), 'no such words qxz')).toEqual([]);
    expect(search(await places(), '  ')).toEqual([]);
  });

  it.each([
    ['quiet hours', 'pace-and-limits'],
    ['qr code', 'connect-an-account'],
    ['delete session', 'connect-an-account'],
    ['idempotency key', 'retry-safely'],
  ])('are found before decisions and measurements: %s', async (query, page) => {
    const found = search(await places(), query).map(({ place }) => place);
    const at = found.findIndex(({ address }) => address.startsWith(`${page}#`));
    const behind = found.findIndex(({ isBackground }) => isBackground);
    expect(at).toBeGreaterThanOrEqual(0);
    expect(at).toBeLessThan(5);
    expect(behind < 0 || at < behind).toBe(true);
  });

  it('are searched with the word that was probably meant where a word is misspelt', async () => {
    expect(await searchPage('webhok')).toMatch(
      /No guide contains <b>webhok<\/b>\. Search for <a href="search\?q=webhook">webhook<\/a> instead\?/,
    );
    expect(await searchPage('webhok secret')).toContain('<a href="search?q=webhook+secret">webhook secret</a>');
    expect(await searchPage('qzxqzxqzx')).toContain('No guide contains <b>qzxqzxqzx</b>.</p>');
    expect(await searchPage('grafana vcard')).toContain('Try fewer words');
    expect(await searchPage('webhook')).not.toContain('No guide');
  });
});
