import type { MediaKind, MessageContent, OutgoingKind } from './content.ts';
import { MAX_CAPTION_LENGTH } from './send.ts';
import type { Attachment } from './send.ts';

/** A message for the network. A request may ask for several. */
export interface Part {
  kind: OutgoingKind;
  body: string;
  content?: MessageContent | undefined;
}

/** Tells whether a file of this kind can have a caption; the network shows no text with audio. */
export function takesCaption(kind: MediaKind): boolean {
  return kind !== 'audio';
}

/**
 * Makes the messages of a request: the text, then each attachment. A single attachment takes the text as its caption
 * when its kind shows captions, it has no caption of its own and the text is short enough.
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
