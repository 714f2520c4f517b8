import MarkdownIt from 'markdown-it';
import { flowList } from './flowchart.ts';
import { escaped } from './page.ts';

/** A part of a guide below one heading, for the search. */
export interface Section {
  /** The id of its heading on the page. */
  anchor: string;
  title: string;
  text: string;
}

export interface RenderedGuide {
  title: string;
  html: string;
  sections: Section[];
}

/** Tags in a guide are shown as text, so that no guide can bring a script. */
const markdown = new MarkdownIt({ html: false });
type Token = ReturnType<typeof markdown.parse>[number];

/** Comments are for the tests that run the guides. */
const COMMENT = /^[ \t]*<!--[\s\S]*?-->[ \t]*\n/gm;

interface Addresses {
  /** Returns the address of a link or a picture on the served page. Null if it has none. */
  linkOf: (href: string) => string | null;
  /** Returns the address of the page that the guide names as code. Undefined for other code. */
  pageNamed?: (code: string) => string | undefined;
}

export function renderGuide(text: string, { linkOf, pageNamed }: Addresses): RenderedGuide {
  const tokens = markdown.parse(text.replaceAll(COMMENT, ''), {});
  const anchorOf = createAnchors();
  const sections: Section[] = [];
  tokens.forEach((token, index) => {
    const content = tokens[index + 1];
    if (token.type === 'heading_open' && content !== undefined) {
      const title = plain(content);
      const anchor = anchorOf(title);
      token.attrSet('id', anchor);
      sections.push({ anchor, title, text: '' });
    } else if (token.type === 'inline' || token.type === 'fence') {
      const section = sections.at(-1);
      const isHeading = tokens[index - 1]?.type === 'heading_open';
      if (section !== undefined && !isHeading) section.text += `${plain(token)} `;
    }
    relink(token.children ?? [], linkOf);
    if (pageNamed !== undefined) linkNamed(token.children ?? [], pageNamed);
    if (token.type === 'fence' && token.info === 'mermaid') listFlow(token);
  });
  return {
    title: sections[0]?.title ?? '',
    html: markdown.renderer.render(tokens, markdown.options, {}),
    sections,
  };
}

/** Turns links to what is not served into plain text. */
function relink(tokens: Token[], linkOf: (href: string) => string | null): void {
  const leads: boolean[] = [];
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const link = linkOf(String(token.attrGet('href') ?? ''));
      leads.push(link !== null);
      if (link === null) dropTag(token);
      else token.attrSet('href', link);
    } else if (token.type === 'link_close' && leads.pop() === false) {
      dropTag(token);
    } else if (token.type === 'image') {
      const address = linkOf(String(token.attrGet('src') ?? ''));
      if (address === null) token.type = 'text';
      else token.attrSet('src', address);
    }
  }
}

/** Links code that names a page of the engine, unless it stands in a link already. */
function linkNamed(tokens: Token[], pageNamed: (code: string) => string | undefined): void {
  let depth = 0;
  for (const token of tokens) {
    if (token.type === 'link_open') depth += 1;
    if (token.type === 'link_close') depth -= 1;
    const address = token.type === 'code_inline' && depth === 0 ? pageNamed(token.content) : undefined;
    if (address === undefined) continue;
    token.type = 'html_inline';
    token.content = `<a href="${escaped(address)}"><code>${escaped(token.content)}</code></a>`;
  }
}

function listFlow(token: Token): void {
  const list = flowList(token.content);
  if (list === null) return;
  token.type = 'html_block';
  token.content = list;
}

function dropTag(token: Token): void {
  token.type = 'text';
  token.content = '';
}

function plain(token: Token): string {
  if (token.children === null) return token.content;
  return token.children.map(({ type, content }) => (type.endsWith('break') ? ' ' : content)).join('');
}

/** Makes ids of headings as git hosts make them, so that a link with an anchor works in both places. */
function createAnchors(): (title: string) => string {
  const used = new Map<string, number>();
  return (title) => {
    const anchor = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-');
    const before = used.get(anchor) ?? 0;
    used.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  };
}
