import { t } from '../../parts/words/t.ts';

/** The draft of a message, and its sending. */

/** A file of the device, as browsers have it. */
export interface Picked extends Blob {
  readonly name: string;
  readonly lastModified: number;
}

/** A file by its address, or one of the device. */
export interface File {
  url: string;
  kind: 'image' | 'document' | 'audio' | 'video';
  picked?: Picked | undefined;
}

export interface Draft {
  text: string;
  files: readonly File[];
  buttons: readonly string[];
  /** As a field for a date and time has it: in the time of the browser. */
  later: string;
  /** The message that it answers. */
  quotes?: string | undefined;
}

/** The engine accepts no more in one message. */
export const FILES_AT_MOST = 10;

/** The files of a draft with more of them, as many as a message may have. */
export const withFiles = ({ files }: Draft, more: readonly File[]): File[] =>
  [...files, ...more].slice(0, FILES_AT_MOST);

export const EMPTY: Draft = { text: '', files: [], buttons: [], later: '' };

const isGiven = ({ url, picked }: File): boolean => picked !== undefined || url.trim() !== '';

export const isEmpty = ({ text, files }: Draft): boolean => text.trim() === '' && !files.some(isGiven);

export const hasButtons = ({ buttons }: Draft): boolean => buttons.some((button) => button.trim() !== '');

/** The parts of a message besides its words, which are told also where the fields for them are closed. */
export const addedText = ({ files, buttons, later }: Draft): string[] => [
  ...(files.length > 0 ? [t('{0} added', files.length)] : []),
  ...(buttons.length > 0 ? [buttons.length === 1 ? t('1 button') : t('{0} buttons', buttons.length)] : []),
  ...(later === '' ? [] : [t('at {0}', later.replace('T', ' '))]),
];

/** The part of a draft that was written while an earlier state of it was being sent. */
export const writtenSince = (sent: Draft, now: Draft): Draft => ({
  text: now.text.startsWith(sent.text) ? now.text.slice(sent.text.length).trimStart() : now.text,
  files: now.files.filter((file) => !sent.files.includes(file)),
  buttons: now.buttons === sent.buttons ? [] : now.buttons,
  later: now.later === sent.later ? '' : now.later,
  quotes: now.quotes === sent.quotes ? undefined : now.quotes,
});

/** Why it cannot go out, null where it can. */
export const whyNot = (draft: Draft): string | null => {
  const buttons = draft.buttons.map((button) => button.trim()).filter(Boolean);
  if (isEmpty(draft)) return t('Write a message or add a file first.');
  if (buttons.length > 0 && draft.text.trim() === '') return t('Buttons need a text above them.');
  if (buttons.length > 0 && draft.files.some(isGiven))
    return t('A message cannot have both files and buttons. Send them separately.');
  if (new Set(buttons).size < buttons.length) return t('Each button needs a different label.');
  return null;
};

/** Identifies a draft: a file counts by its name, size and time. */
export const markOf = ({ files, ...rest }: Draft): unknown => ({
  ...rest,
  files: files.map(({ url, kind, picked }) => [url, kind, picked?.name, picked?.size, picked?.lastModified]),
});

/** The body of the request, without the parts that were left empty. `read` makes an attachment of a file. */
export const contentOf = async <Attachment>(
  { text, files, buttons, later, quotes }: Draft,
  read: (file: Picked, about: { kind: File['kind'] }) => Promise<Attachment>,
) => {
  const attachments = await Promise.all(
    files
      .filter(isGiven)
      .map(async ({ url, kind, picked }) => (picked ? read(picked, { kind }) : { url: url.trim(), kind })),
  );
  const replies = buttons
    .map((button) => button.trim())
    .filter(Boolean)
    .map((button) => ({ type: 'reply' as const, text: button }));
  return {
    text: text.trim() === '' ? undefined : text,
    attachments: attachments.length > 0 ? attachments : undefined,
    buttons: replies.length > 0 ? replies : undefined,
    replyTo: quotes,
    sendAt: later === '' ? undefined : new Date(later).toISOString(),
  };
};

/** Returns the kind in which the customer sees a file, by its type. */
const kindOf = (type: string): File['kind'] => {
  if (/^image\/(jpeg|png|webp|gif)\b/.test(type)) return 'image';
  const [group] = type.split('/');
  return group === 'audio' || group === 'video' ? group : 'document';
};

export const filesOf = (picked: Iterable<Picked>): File[] =>
  Array.from(picked, (file) => ({ url: '', kind: kindOf(file.type), picked: file }));
