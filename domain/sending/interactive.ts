import type { Button, Buttons, List, MessageContent } from './content.ts';
import { canDo } from '../network/capabilities.ts';
import { chatKind } from '../network/chat-id.ts';

/** A choice that the contact can make; the contact's answer brings its `id` back. */
export interface Option {
  id: string;
  text: string;
}

const CAPABILITY = { buttons: 'buttons', list: 'lists' } as const;

/**
 * Tells whether the session's engine shows buttons or a list as such; otherwise the message goes as numbered text
 * (`docs/extend/backend.md#sending`, 7).
 */
export function rendersNatively(
  kind: 'buttons' | 'list',
  platform: string | null,
  { chatId, quotes }: { chatId: string; quotes: boolean },
): boolean {
  // The backend takes no quote with buttons.
  if (kind === 'buttons' && quotes) return false;
  if (!canDo(CAPABILITY[kind], platform)) return false;
  const chat = chatKind(chatId);
  return chat === 'phone' || chat === 'lid' || (chat === 'group' && kind === 'buttons');
}

/**
 * True where the send went, or may have gone, as the engine's own buttons or list. NOWEB neither stores those nor
 * reports an event of them, so no chat read and no echo shows them.
 */
export function mayBeNative(
  {
    content,
    renderedAs,
  }: { content?: MessageContent | null | undefined; renderedAs?: 'native' | 'text' | null | undefined },
  platform: string | null,
): boolean {
  const kind = content?.buttons ? 'buttons' : content?.list ? 'list' : null;
  if (kind === null || renderedAs === 'text') return false;
  return renderedAs === 'native' || platform === null || canDo(CAPABILITY[kind], platform);
}

/**
 * Lists the options in the order of their numbers. A button that opens a page tells nobody that it was pressed, so it
 * is no option.
 */
export function optionsOf(interactive: Buttons | List): Option[] {
  return 'sections' in interactive
    ? interactive.sections.flatMap(({ rows }) => rows.map((row) => ({ id: row.rowId, text: row.title })))
    : interactive.buttons
        .filter((button) => button.type === 'reply')
        .map((button) => ({ id: buttonId(button), text: button.text }));
}

/** Answers the button's id; a button without an id is recognised by its text. */
export function buttonId(button: Button): string {
  return button.id ?? button.text;
}

/** Writes the message for people whose client cannot show it: everything that it says, with its options numbered. */
export function asNumberedText(body: string, interactive: Buttons | List): string {
  const blocks =
    'sections' in interactive
      ? [interactive.title, body, ...sectionBlocks(interactive), interactive.footer]
      : [interactive.header, body, ...buttonBlocks(interactive), interactive.footer];
  return blocks.filter((block) => block !== undefined && block !== '').join('\n\n');
}

/**
 * Finds the option that a reply means, by the option's number ("2", "2.", "2)") or its text. Null when the reply fits
 * no option, and when it fits two, because then only the contact knows.
 */
export function choiceOf(
  options: readonly Option[],
  reply: string,
  { byNumber: countsNumbers = true } = {},
): Option | null {
  const said = foldChoice(reply);
  const number = /^(\d{1,4})\s*[.)]?$/.exec(said)?.[1];
  const byNumber = number === undefined || !countsNumbers ? undefined : options[Number(number) - 1];
  const meant = new Set(options.filter((option) => foldChoice(option.text) === said));
  if (byNumber !== undefined) meant.add(byNumber);
  const [choice] = meant;
  return meant.size === 1 && choice !== undefined ? choice : null;
}

function sectionBlocks(list: List): string[] {
  let number = 0;
  return list.sections.map(({ title, rows }) => {
    const lines = rows.map((row) => {
      number += 1;
      const described = row.description === undefined || row.description === '' ? '' : ` – ${row.description}`;
      return `${number}. ${row.title}${described}`;
    });
    return [...(title === '' ? [] : [title]), ...lines].join('\n');
  });
}

function buttonBlocks(buttons: Buttons): string[] {
  const options = optionsOf(buttons).map(({ text }, index) => `${index + 1}. ${text}`);
  const links = buttons.buttons
    .filter((button) => button.type === 'url')
    .map(({ text, url }) => (url === undefined ? text : `${text}: ${url}`));
  return [options.join('\n'), links.join('\n')];
}

/** Gives texts that people read as equal the same spelling, so that they can be compared. */
export function foldChoice(text: string): string {
  return text.normalize('NFC').trim().toLowerCase();
}
