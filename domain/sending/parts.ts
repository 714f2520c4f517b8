import type { MediaKind, MessageContent, OutgoingKind } from './content.ts';
import { MAX_CAPTION_LENGTH } from './send.ts';
import type { Attachment } from './send.ts';

/** One message of the network, as a request asks for it. */
export interface Part {
  kind: OutgoingKind;
  body: string;
  content?: MessageContent | undefined;
}

/** The network shows no text with audio. */
export function takesCaption(kind: MediaKind): boolean {
  return kind !== 'audio';
}

/**
 * The messages that a request becomes: the text, then each attachment. A text with one attachment that shows a caption
 * and has none of its own is that caption.
 */
export function partsOf(request: {
  text: string | undefined;
  attachments: readonly Attachment[];
  mentions?: string[] | undefined;
}): Part[] {
  const { text, attachments, mentions } = request;
  const files = attachments.map(({ kind, caption = '', ...attachment }): Part => {
    return { kind, body: caption, content: { attachment } };
  });
  const [file] = files;
  const [attachment] = attachments;
  const named = mentions && mentions.length > 0 ? { mentions } : undefined;
  if (text === undefined || text.trim() === '') {
    return files.map((part, index) => (index === 0 ? { ...part, content: { ...part.content, ...named } } : part));
  }
  const isCaption =
    file &&
    attachment &&
    files.length === 1 &&
    takesCaption(attachment.kind) &&
    file.body === '' &&
    text.length <= MAX_CAPTION_LENGTH;
  return isCaption
    ? [{ ...file, body: text, content: { ...file.content, ...named } }]
    : [{ kind: 'text', body: text, content: named }, ...files];
}
