import { cut } from '../../cut.ts';
import { visible, withPlainBreaks } from './invisible.ts';
import { withAllowedLinks } from './links.ts';
import { tidied, withoutMarkdown } from './plain-text.ts';
import { cutAtSentence } from './length.ts';
import type { Persona } from '../sales-agent.ts';

/** Changes that were made to a reply before it went out; the turn's record names them. */
export type ReplyNote = 'characters_removed' | 'markdown_removed' | 'link_removed' | 'shortened';

/**
 * Only this much of a reply is read. It is many times more than any persona allows, and the rest of an endless reply
 * costs no time.
 */
export const READ_CHARACTERS = 20_000;

/** Turns what a model wrote into what may go out; '' when nothing is left of it. */
export function applyReplyRules(
  text: string,
  persona: Pick<Persona, 'allowedLinks' | 'maxReplyCharacters'>,
): { text: string; notes: ReplyNote[] } {
  const written = withPlainBreaks(cut(text, READ_CHARACTERS));
  const seen = visible(written);
  const plain = withoutMarkdown(seen);
  const linked = withAllowedLinks(plain, persona.allowedLinks);
  const tidy = tidied(linked.text);
  const fitting = cutAtSentence(tidy, persona.maxReplyCharacters);
  const notes: readonly (readonly [boolean, ReplyNote])[] = [
    [seen !== written, 'characters_removed'],
    [plain !== seen, 'markdown_removed'],
    [linked.removed, 'link_removed'],
    [fitting !== tidy || text.length > READ_CHARACTERS, 'shortened'],
  ];
  return {
    // A reply without a letter, a digit or a picture says nothing.
    text: /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(fitting) ? fitting : '',
    notes: notes.flatMap(([done, note]) => (done ? [note] : [])),
  };
}
