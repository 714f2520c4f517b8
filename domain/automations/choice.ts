import { BUTTON_BOUNDS } from '../button-bounds.ts';
import { chosen } from './text-filter.ts';

/** A button of an automation: the name of its text, and what the text says. */
export interface OfferedButton {
  id: string;
  text: string;
}

interface AnsweredWith {
  body: string;
  /** The id of the button that was pressed, or that the reply names by its number; null without one. */
  selected: string | null;
}

/**
 * Answers which of the choices a reply is, in this order: the button that was selected, the choice whose words the reply
 * is, and the choice whose button says what the reply is. Null when it is none of them. The last one is there because a
 * tenant words the buttons, and a contact may type what a button says instead of pressing it.
 */
export function choiceOfReply(
  choices: readonly string[],
  { body, selected }: AnsweredWith,
  offered: readonly OfferedButton[],
): string | null {
  if (selected !== null && choices.includes(selected)) return selected;
  const named = chosen(choices, body);
  if (named !== null) return named;
  const buttons = offered.filter(({ id }) => choices.includes(id));
  const says = chosen(
    buttons.map(({ text }) => text),
    body,
  );
  return buttons.find(({ text }) => text === says)?.id ?? null;
}

/**
 * Says why the network would not show these buttons; null when it would. It names the texts and not their words, which a
 * tenant sets and which may contain a name: they are known only when they are sent.
 */
export function wrongButtons(buttons: readonly OfferedButton[]): string | null {
  const { buttons: most, textLength } = BUTTON_BOUNDS;
  if (buttons.length > most) return `A message has at most ${most} buttons, and this one has ${buttons.length}.`;
  const long = buttons.find(({ text }) => text.length > textLength);
  if (long) return `The text ${long.id} is on a button and has ${long.text.length} characters: at most ${textLength}.`;
  const same = buttons.find(({ text }, place) => buttons.findIndex((each) => each.text === text) < place);
  return same ? `The text ${same.id} is on a button and says what an earlier button says.` : null;
}
