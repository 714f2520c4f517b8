import type { Persona } from './sales-agent.ts';

/** What was done to a reply before it went out; in the turn's record. */
export const REPLY_NOTES = ['markdown_removed', 'link_removed', 'shortened', 'characters_removed'] as const;
export type ReplyNote = (typeof REPLY_NOTES)[number];

/** What a model wrote, as it may go out; '' when nothing is left. */
export function applyReplyRules(
  text: string,
  persona: Pick<Persona, 'allowedLinks' | 'maxReplyCharacters'>,
): { text: string; notes: ReplyNote[] } {
  throw new Error('under way');
}
