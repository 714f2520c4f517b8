import type { ContextMedia, ContextMessage } from './context.ts';
import { inLine } from './quoted.ts';

const MAX_HELD_LENGTH = 300;

/** Puts a message into words: a message that is no text is named by its kind, followed by its caption. */
export function inWords({
  kind,
  body,
  media,
  holds,
}: Pick<ContextMessage, 'kind' | 'body' | 'media' | 'holds'>): string {
  // Words say enough of content that has no kind of its own.
  const name = holds ? inLine(holds, MAX_HELD_LENGTH) : kind === 'other' && body !== '' ? null : nameOf(kind, media);
  return name === null ? body : `[${name}] ${body}`.trim();
}

function nameOf(kind: string, media: ContextMedia | null): string | null {
  const attached = media?.bytes === undefined ? '' : ', attached';
  switch (kind) {
    case 'text':
    case 'buttons':
    case 'list':
      return null;
    case 'audio': {
      const seconds = media?.seconds ?? null;
      return `voice message${seconds === null ? '' : `, ${Math.round(seconds)} s`}${attached}`;
    }
    case 'document': {
      const fileName = inLine(media?.fileName ?? '');
      return fileName === '' ? 'document' : `document: ${fileName}`;
    }
    case 'contact':
      return 'contact card';
    case 'other':
      return 'message that cannot be shown';
    default:
      return `${inLine(kind, 30)}${attached}`;
  }
}
