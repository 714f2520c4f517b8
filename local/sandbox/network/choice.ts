import type { StoredMessage } from '../state/session.ts';
import type { Inbound } from './inbound.ts';

/** Makes the answer of a contact who chooses the second option, or nothing when the message offers no options. */
export function choiceIn({
  id,
  kind,
  body,
  options,
}: StoredMessage): Pick<Inbound, 'text' | 'selected' | 'replyTo'> | null {
  const option = options?.[1] ?? options?.[0];
  if (option) {
    return { text: option.text, selected: { ...option, of: kind === 'list' ? 'list' : 'buttons' }, replyTo: id };
  }
  const number = ['2', '1'].find((digit) => new RegExp(`^${digit}\\. `, 'm').test(body));
  return number === undefined ? null : { text: number };
}
