import type { MediaKind, MessageContent, OutgoingKind } from './content.ts';
import { MAX_CAPTION_LENGTH } from './send.ts';
import type { Attachment } from './send.ts';

/** One message of the network, as a request asks for it. */
export interface Part {
  kind: OutgoingKind;
  body: string;
  content?: MessageContent | undefined;
}

/** False for audio, with which the network shows no text. */
export function takesCaption(kind: MediaKind): boolean {
  return kind !== 'audio';
}

/**
 * Makes the messages of a request: the text, then each attachment. The text becomes the caption of a single attachment that
 * shows one and has none of its own.
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
