import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { errorPage } from '../../../api/docs/error-pages.ts';
import { guideListPage, guidePage, homePage, searchPage } from '../../../api/docs/guide-pages.ts';
import {
  guideFile,
  NAMED_PAGES,
  pageOf,
  readPicture,
  readSnippet,
  servedLink,
  SHELVES,
} from '../../../api/docs/guides.ts';
import { guideOf, places } from '../../../api/docs/library.ts';
import { renderGuide } from '../../../api/docs/render.ts';
import { search } from '../../../api/docs/search.ts';
import { ERROR_CODES } from '../../../domain/error.ts';
import { docsPages, ROOT } from '../../toolchain/source-files.ts';

const FILES: string[] = SHELVES.flatMap(({ files }) => [...files]);
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
  it('are all of docs/', () => {
    for (const { path } of docsPages()) expect(FILES).toContain(path);
    for (const file of FILES) expect(guideFile(pageOf(file))).toBe(file);
  });

  it('link the views of Temporal where it runs on this machine, and tell nobody where it runs elsewhere', async () => {
    const shown = (url: string) => guidePage('operators', { url, namespace: 'other' });
    expect(await shown('http://127.0.0.1:9233')).toContain('http://127.0.0.1:9233/namespaces/other/workflows?query=');
    expect(await shown('http://127.0.0.1:9233')).not.toContain('127.0.0.1:8233/namespaces');
    expect(await shown('https://temporal.internal')).toBe(await guidePage('operators'));
  });

  it('link only what is there, on a git host and as they are served', async () => {
    const links = sources.flatMap(({ file, text }) =>
      [...text.matchAll(LINK)].map(([, href = '']) => ({ file, href })),
    );
    expect(links.length).toBeGreaterThan(60);
    const wrong = await Promise.all(links.map(({ file, href }) => wrongLink(file, href)));
    expect(wrong.filter((each) => each !== null)).toEqual([]);
    expect(await wrongLink('docs/dashboards.md', 'webhooks.md#no-such-part')).toContain('no such heading');
    expect(await wrongLink('docs/dashboards.md', 'nothing.md')).toContain('not there');
  });

  it('list their headings below the title where there are many', async () => {
    const html = (await guidePage('dashboards')) ?? '';
    const contents =
      /<\/h1>\s*<details><summary>On this page<\/summary><ul>(.*?)<\/ul><\/details>/s.exec(html)?.[1] ?? '';
    const anchors = [...contents.matchAll(/href="#([^"]+)"/g)].map(([, anchor]) => anchor);
    expect(anchors).toContain('events');
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
    const readme = (await guideOf('readme'))?.html;
    expect(readme).toContain('<li><b>Dashboard</b> → API (send: 202 once stored)</li>');
    expect(readme).toContain('<li><b>Backend: WAHA or sandbox</b> ↔ network</li>');
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

  it.each(['dashboards', 'webhooks', 'agent', 'operators'])(
    'link the words of %s where they are first used',
    (page) => {
      const { text } = sources.find(({ file }) => file === `docs/${page}.md`) ?? { text: '' };
      const prose = text
        .replaceAll(/^```[\s\S]*?^```$/gm, '')
        .split('\n')
        .filter((line) => !/^\s*(?:[#|]|<!--)/.test(line))
        .join('\n')
        .replaceAll(/`[^`\n]*`|\(https?:[^)]*\)/g, '');
      for (const word of ['tenant', 'session', 'contact', 'conversation', 'endpoint', 'persona', 'takeover']) {
        const linked = prose.search(new RegExp(`\\[${word}s?\\]\\(words\\.md#`, 'i'));
        const unlinked = prose.search(new RegExp(`(?<![\\w"\\[/.-])${word}s?(?![\\w"\\]/-])`, 'i'));
        expect([word, unlinked < 0 || (linked >= 0 && linked < unlinked)]).toEqual([word, true]);
      }
    },
  );

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
    expect(found.map(({ place }) => place.address)).toContain('dashboards#repeat-requests-safely');
    expect(search(await places(), 'no such words qxz')).toEqual([]);
    expect(search(await places(), '  ')).toEqual([]);
  });

  it.each([
    ['quiet hours', 'dashboards#pace'],
    ['qr code', 'dashboards#let-the-owner-of-the-phone-connect-it'],
    ['delete session', 'dashboards#start-stop-restart-log-out-delete'],
    ['idempotency key', 'dashboards#repeat-requests-safely'],
  ])('are found before decisions and measurements: %s', async (query, address) => {
    const found = search(await places(), query).map(({ place }) => place.address);
    const behind = found.findIndex((each) => /^(?:decisions|performance|changelog)#/.test(each));
    expect(found.slice(0, 5)).toContain(address);
    expect(behind < 0 || found.indexOf(address) < behind).toBe(true);
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
