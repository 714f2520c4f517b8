/** A long reply as the messages that a person would write; a short one is one. Nothing is lost but white space. */
export function splitReply(text: string): string[] {
  throw new Error('under way');
}
