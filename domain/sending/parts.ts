import type { MediaKind, MessageContent, OutgoingKind } from './content.ts';
import { MAX_CAPTION_LENGTH } from './send.ts';
import type { NetworkMedia } from '../network/network-event.ts';
import type { Attachment } from './send.ts';

/** A message for the network. A request may ask for several. */
export interface Part {
  kind: OutgoingKind;
  body: string;
  content?: MessageContent | undefined;
  /** Its file, where that is in the store already. */
  media?: NetworkMedia;
}

/** A file that a request names by its address, or one that it has brought and that was stored. */
export type FileToSend = Pick<Attachment, 'kind' | 'caption'> &
  ({ url: string; mimeType?: string | undefined; fileName?: string | undefined } | { media: NetworkMedia });

/** Tells whether a file of this kind can have a caption; the network shows no text with audio. */
function takesCaption(kind: MediaKind): boolean {
  return kind !== 'audio';
}

/** Makes the messages of one file. A caption that the network would not show is a text of its own behind the file. */
export function partsOfFile({ kind, caption = '', ...file }: FileToSend): Part[] {
  const named = 'media' in file ? { media: file.media } : { content: { attachment: file } };
  if (takesCaption(kind)) return [{ kind, body: caption, ...named }];
  const words: Part[] = caption.trim() === '' ? [] : [{ kind: 'text', body: caption }];
  return [{ kind, body: '', ...named }, ...words];
}

/**
 * Makes the messages of a request: the text, then each attachment. A single attachment takes the text as its caption
 * when its kind shows captions, it has no caption of its own and the text is short enough. The people whom the text
 * names stand with the first words; without any, with the first message.
 */
export function partsOf(request: {
  text: string | undefined;
  attachments: readonly FileToSend[];
  mentions?: string[] | undefined;
}): Part[] {
  const { text, attachments, mentions } = request;
  const files = attachments.flatMap(partsOfFile);
  const [file] = files;
  const [attachment] = attachments;
  const named = mentions && mentions.length > 0 ? { mentions } : undefined;
  if (text === undefined || text.trim() === '') {
    const words = Math.max(
      0,
      files.findIndex(({ body }) => body !== ''),
    );
    return files.map((part, index) => (index === words ? { ...part, content: { ...part.content, ...named } } : part));
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
