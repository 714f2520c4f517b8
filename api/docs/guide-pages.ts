import type { TemporalUi } from '../deps.ts';
import { guideOf, places, shelves } from './library.ts';
import { escaped, page } from './page.ts';
import type { RenderedGuide } from './render.ts';
import { search, unknownWords } from './search.ts';
import type { UnknownWord } from './search.ts';

const MANY_PARTS = 5;

/** The first page, with a link to each part. */
export function homePage(): string {
  const links = [
    ['docs/readme', 'First steps', 'from nothing to the first signed event, in five blocks to paste'],
    ['docs', 'Guides', 'for those who build dashboards, operate the engine or change it'],
    [
      'docs/api',
      'API reference',
      'every route, with requests to try out; also as <a href="openapi.json">openapi.json</a>',
    ],
    ['docs/errors', 'Errors', 'each code with its cause, an example and what to do'],
    ['docs/changelog', 'Changelog', 'what changed, and what stays unchanged'],
    ['api/v1/status', 'Status', 'whether the engine and what it depends on are healthy'],
  ];
  const items = links.map(([address, title, says]) => `<li><a href="${address}">${title}</a>: ${says}</li>`);
  return page({
    title: 'Messaging automation engine',
    toRoot: '',
    body: `<h1>Messaging automation engine</h1>
<p>Connects messaging accounts to dashboards: durable sends, a complete inbox, signed events, an AI sales agent that hands over to people.</p>
<ul>${items.join('\n')}</ul>`,
  });
}

export async function guideListPage(): Promise<string> {
  const sections = (await shelves()).map(({ title, guides }) => {
    const items = guides.map((guide) => `<li><a href="docs/${guide.page}">${escaped(guide.title)}</a></li>`);
    return `<h2>${escaped(title)}</h2><ul>${items.join('\n')}</ul>`;
  });
  return page({
    title: 'Guides',
    toRoot: '',
    script: 'docs/moved.js',
    body: `<h1>Guides</h1><p>Every route is in the <a href="docs/api">API reference</a>, every error under <a href="docs/errors">errors</a>.</p>
${sections.join('\n')}`,
  });
}

/** The address of Temporal's pages in the guides, as a start without settings has it. */
const USUAL_UI = 'http://127.0.0.1:8233/namespaces/default';

/**
 * Returns undefined for an unknown name. Links to Temporal's views follow its address only if it runs on this machine:
 * the guides are public, and the addresses of a deployment are not.
 */
export async function guidePage(name: string, ui: TemporalUi | null = null): Promise<string | undefined> {
  const guide = await guideOf(name);
  if (guide === undefined) return undefined;
  const html = page({ title: guide.title, toRoot: '../', body: withContents(guide) });
  const isHere = ui !== null && new URL(ui.url).hostname === '127.0.0.1';
  return isHere ? html.replaceAll(USUAL_UI, `${ui.url}/namespaces/${ui.namespace}`) : html;
}

/** Puts the list of a guide's headings below its title, where it has many. */
function withContents({ html, sections }: RenderedGuide): string {
  const [, ...parts] = sections;
  if (parts.length < MANY_PARTS) return html;
  const items = parts.map(({ anchor, title }) => `<li><a href="#${escaped(anchor)}">${escaped(title)}</a></li>`);
  const contents = `<details><summary>On this page</summary><ul>${items.join('\n')}</ul></details>`;
  return html.replace('</h1>', () => `</h1>\n${contents}`);
}

export async function searchPage(query: string): Promise<string> {
  const all = await places();
  const found = search(all, query);
  const items = found.map(
    ({ place, excerpt }) =>
      `<li><a href="${escaped(place.address)}">${escaped(place.title)}</a> (${escaped(place.guide)})<br>${escaped(excerpt)}</li>`,
  );
  return page({
    title: 'Search',
    toRoot: '../',
    query,
    body: `<h1>Search</h1>${found.length === 0 ? nothingFound(query, unknownWords(all, query)) : ''}<ol>${items.join('\n')}</ol>`,
  });
}

/** Says which words stand nowhere, and leads to a search with what was probably meant. */
function nothingFound(query: string, unknown: readonly UnknownWord[]): string {
  if (query.trim() === '') return '';
  if (unknown.length === 0) return '<p>No section contains all of these words. Try fewer words.</p>';
  const words = unknown.map(({ word }) => `<b>${escaped(word)}</b>`).join(' or ');
  const meant = unknown.reduce((asked, { word, near }) => asked.replace(word, () => near ?? ''), query.toLowerCase());
  const link = `<a href="search?${escaped(new URLSearchParams({ q: meant.trim() }).toString())}">${escaped(meant.trim())}</a>`;
  return `<p>No guide contains ${words}.${meant.trim() === '' ? '' : ` Search for ${link} instead?`}</p>`;
}
