import { cut } from '../../../../domain/cut.ts';
import type { ContactCard } from '../../../../domain/network/message-content.ts';

/** A longer card is cut; what makes one long is its picture, which is left out anyway. */
const MAX_LENGTH = 16_384;
const MAX_ENTRIES = 20;

/** Parts that hold bytes: they would make every list of messages large. */
const BYTES: readonly string[] = ['PHOTO', 'LOGO', 'SOUND', 'KEY'];

interface Line {
  name: string;
  parameters: string;
  value: string;
}

/**
 * Reads a vCard (RFC 6350, and the older forms that phones write). Whatever differs from the form is left out, because a
 * card comes from anybody and must not cost its message.
 */
export function readVcard(vcard: string): ContactCard {
  const lines = vcard
    .slice(0, MAX_LENGTH * 64)
    .toWellFormed()
    // A line that begins with a space goes on the line before it.
    .replaceAll(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)
    .flatMap((line) => lineOf(line) ?? [])
    .filter(({ name }) => !BYTES.includes(name));
  const valuesOf = (name: string): Line[] => lines.filter((line) => line.name === name).slice(0, MAX_ENTRIES);
  const first = (name: string): string | null => textOf(valuesOf(name)[0]?.value ?? '');
  return {
    name: first('FN') ?? nameOf(valuesOf('N')[0]?.value ?? ''),
    organization: textOf((valuesOf('ORG')[0]?.value ?? '').replaceAll(/(?<!\\);/g, ' ')),
    phones: valuesOf('TEL').flatMap(phoneOf),
    emails: valuesOf('EMAIL').flatMap(({ value }) => textOf(value) ?? []),
    vcard: cut(lines.map(({ name, parameters, value }) => `${name}${parameters}:${value}`).join('\n'), MAX_LENGTH),
  };
}

/** `item1.TEL;type=CELL;waid=4915112345678:+49 151 …`, without the group that stands before the dot. */
const LINE = /^(?:[\w-]+\.)?([A-Za-z0-9-]+)((?:;[^:"]*(?:"[^"]*"[^:"]*)*)?):(.*)$/;

function lineOf(text: string): Line | null {
  const [, name, parameters, value] = LINE.exec(text) ?? [];
  if (name === undefined || parameters === undefined || value === undefined) return null;
  return { name: name.toUpperCase(), parameters, value };
}

function phoneOf({ parameters, value }: Line): ContactCard['phones'] {
  const number = textOf(value.replace(/^tel:/i, ''));
  const [, phone = null] = /;waid=(\d{5,15})(?=;|$)/i.exec(parameters) ?? [];
  return number === null ? [] : [{ number, phone }];
}

/** The name of a card that has no line for display: family name, given name, and what else there is. */
function nameOf(value: string): string | null {
  const [family = '', given = '', ...others] = value.split(/(?<!\\);/);
  return textOf([given, ...others, family].join(' '));
}

function textOf(value: string): string | null {
  const text = value
    .replaceAll(/\\n/gi, ' ')
    .replaceAll(/\\([\\,;:])/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return text === '' ? null : text;
}
