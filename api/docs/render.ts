import MarkdownIt from 'markdown-it';

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

/** Renders a guide; `linkOf` says where a link leads on the served page, null for nowhere. */
export function renderGuide(text: string, linkOf: (href: string) => string | null): RenderedGuide {
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
    }
  }
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
