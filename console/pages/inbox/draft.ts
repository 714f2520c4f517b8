/** What somebody writes, and what becomes of it at the engine. */

export interface File {
  url: string;
  kind: 'image' | 'document' | 'audio' | 'video';
}

export interface Draft {
  text: string;
  files: readonly File[];
  buttons: readonly string[];
  /** As a field for a date and time has it: in the time of the browser. */
  later: string;
}

export const EMPTY: Draft = { text: '', files: [], buttons: [], later: '' };

const isEmpty = ({ text, files }: Draft): boolean => text.trim() === '' && files.every(({ url }) => url.trim() === '');

/** Why it cannot go out, null where it can. */
export const whyNot = (draft: Draft): string | null => {
  const buttons = draft.buttons.map((button) => button.trim()).filter(Boolean);
  if (isEmpty(draft)) return 'Write something first.';
  if (buttons.length > 0 && draft.text.trim() === '') return 'Buttons need words above them.';
  if (buttons.length > 0 && draft.files.some(({ url }) => url.trim() !== ''))
    return 'Send files and buttons one after the other.';
  if (new Set(buttons).size < buttons.length) return 'Two buttons say the same.';
  return null;
};

/** The body of the request, without the parts that were left empty. */
export const contentOf = ({ text, files, buttons, later }: Draft) => {
  const attachments = files.filter(({ url }) => url.trim() !== '').map(({ url, kind }) => ({ url: url.trim(), kind }));
  const replies = buttons
    .map((button) => button.trim())
    .filter(Boolean)
    .map((button) => ({ type: 'reply' as const, text: button }));
  return {
    text: text.trim() === '' ? undefined : text,
    attachments: attachments.length > 0 ? attachments : undefined,
    buttons: replies.length > 0 ? replies : undefined,
    sendAt: later === '' ? undefined : new Date(later).toISOString(),
  };
};
