import type { ContactCard } from '../../network/message-content.ts';

/** A person whose number is sent; `digits` is the phone number with its country code. */
export interface CardFields {
  name: string;
  digits: string;
  /** The number as people see it, if that is not the one by which they are written to. */
  shown?: string | undefined;
  organization?: string | undefined;
  email?: string | undefined;
}

/** Makes the card of a person, in the form in which the cards that others send are kept, too. */
export function cardOf(fields: CardFields): ContactCard {
  const { name, digits, shown = `+${digits}`, organization, email } = fields;
  return {
    name,
    organization: organization ?? null,
    phones: [{ number: shown, phone: digits }],
    emails: email === undefined ? [] : [email],
    vcard: vcardOf(fields),
  };
}

/**
 * Writes a vCard 3.0 (RFC 2426), the form in which the network carries cards. By `waid` the network's apps offer to
 * write to the person.
 */
function vcardOf({ name, digits, shown = `+${digits}`, organization = '', email = '' }: CardFields): string {
  return [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:;${escaped(name)};;;`,
    `FN:${escaped(name)}`,
    ...(organization === '' ? [] : [`ORG:${escaped(organization)};`]),
    `TEL;type=CELL;type=VOICE;waid=${digits}:${escaped(shown)}`,
    ...(email === '' ? [] : [`EMAIL;type=INTERNET:${escaped(email)}`]),
    'END:VCARD',
  ].join('\n');
}

/** A line break or a semicolon in a name would otherwise begin a property or a part of its own. */
function escaped(text: string): string {
  return text.replaceAll(/[\\,;]/g, String.raw`\$&`).replaceAll(/\r\n|\r|\n/g, String.raw`\n`);
}
