import { DOTS, isHostEnding, lengthBehindEnding, LINK_CANDIDATE, mayBeHost } from './link-candidates.ts';

/**
 * Removes all links from a text except those to the given hosts and their subdomains. Text that only looks like a link
 * stays.
 */
export function withAllowedLinks(text: string, hosts: readonly string[]): { text: string; removed: boolean } {
  // When a link is gone, the text around it may form another. Each round removes or splits a link, so the loop ends.
  for (let kept = text, removed = false; ;) {
    const next = withoutRefused(kept, hosts);
    removed ||= next.removed;
    if (next.text === kept) return { text: kept, removed };
    kept = next.text;
  }
}

function withoutRefused(text: string, hosts: readonly string[]): { text: string; removed: boolean } {
  let removed = false;
  const kept = text.replace(LINK_CANDIDATE, (candidate) => {
    const link = candidate.slice(0, lengthWithoutClosing(candidate));
    const verdict = judge(link, hosts);
    if (verdict === 'not_a_link' || verdict === 'allowed') return candidate;
    // Spaces after the dots keep the words and keep chats from making a link of them.
    if (verdict === 'two_sentences') return `${link.replace(DOTS, '$& ')}${candidate.slice(link.length)}`;
    removed = true;
    // A space takes the link's place, so that the text around it does not become one word and so perhaps a new link.
    return ` ${candidate.slice(link.length)}`;
  });
  return removed ? { text: withoutTraces(kept), removed } : { text: kept, removed };
}

type Verdict = 'not_a_link' | 'two_sentences' | 'allowed' | 'refused';

function judge(link: string, hosts: readonly string[]): Verdict {
  if (/^(?:mailto:)?[^\s@/\\:]+@[^\s@/\\?#:]+$/i.test(link)) return 'not_a_link';
  const hasScheme = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(link);
  if (!hasScheme) {
    const [, host = '', rest = ''] = /^(?:[/\\]{2})?([^/\\?#:]*)([\s\S]*)$/.exec(link) ?? [];
    const ending =
      host
        .split(DOTS)
        .filter((label) => label !== '')
        .at(-1) ?? '';
    if (/^\d+$/.test(ending)) return 'refused';
    const behind = rest === '' ? lengthBehindEnding(ending) : 0;
    if (behind > 0) return isAllowed(link.slice(0, -behind), hasScheme, hosts) ? 'allowed' : 'two_sentences';
    // A host with a path or a port is meant as a link, whatever its ending, so only a bare host is checked here.
    if (rest === '' && !isHostEnding(ending)) {
      if (!mayBeHost(host, ending)) return 'not_a_link';
      return isAllowed(link, hasScheme, hosts) ? 'allowed' : 'two_sentences';
    }
    // Chats also make a link of two sentences without a space between them; the added space prevents that.
    if (rest === '' && /^\p{Lu}\p{Ll}/u.test(ending) && host.split('.').length === 2) return 'two_sentences';
  }
  return isAllowed(link, hasScheme, hosts) ? 'allowed' : 'refused';
}

function isAllowed(link: string, hasScheme: boolean, hosts: readonly string[]): boolean {
  // Programs do not agree on what these two characters mean in a URL, so such a link is refused.
  if (/[\\@]/.test(link.split(/[?#]/)[0] ?? '')) return false;
  if (hasScheme && !/^https?:\/\//i.test(link)) return false;
  const url = URL.parse(hasScheme ? link : `https://${link.replace(/^\/\//, '')}`);
  if (url === null || url.username !== '' || url.password !== '') return false;
  const host = url.hostname.replace(/\.$/, '');
  return hosts.some((allowed) => host === allowed || host.endsWith(`.${allowed}`));
}

/** Returns a link's length without the punctuation and brackets that close after it. */
function lengthWithoutClosing(candidate: string): number {
  let length = candidate.length;
  for (;;) {
    const last = candidate.charAt(length - 1);
    const closesOwn = last === ')' && candidate.slice(0, length).includes('(');
    if (!/[.,;:!?)\]}>'"»”’…。，！？、）」』*_․﹒．｡]/.test(last) || closesOwn) return length;
    length -= 1;
  }
}

/** Removes empty brackets, and spaces before the end of a sentence, which removed links leave behind. */
function withoutTraces(text: string): string {
  return text
    .replace(/\([ \t]*\)|\[[ \t]*\]|<[ \t]*>/g, ' ')
    .replace(/(?<![ \t])[ \t]+(?=[.,;!?](?:\s|$))/g, '')
    .replace(/(?<=\S)[ \t]{2,}/g, ' ');
}
