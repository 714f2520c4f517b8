import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { PhoneNumber } from 'libphonenumber-js/min';

/** The characters that people write numbers with. */
const WRITTEN = /^\+?[\d\s().\-/]+$/;

export function looksLikePhone(text: string): boolean {
  return WRITTEN.test(text.trim());
}

/** Whether the number says its country for sure. Others may be meant as a number of the tenant's own country. */
export function namesItsCountry(text: string): boolean {
  return /^(\+|00)/.test(digitsAndPlus(text));
}

/**
 * The number's digits with its country code, or null where no country has such a number. Digits without `+` are a number
 * of the default country where they can be in use there, else they begin with a country code: "31987654321" is somebody
 * in Belo Horizonte to a Brazilian, and in the Netherlands to everybody else. Numbers need only be possible, since
 * countries open new ranges before a library knows of them.
 */
export function digitsOfPhone(text: string, defaultCountry: string | null): string | null {
  const written = digitsAndPlus(text);
  if (namesItsCountry(text)) return possible(international(written.replace(/^(\+|00)/, '')));
  const national = defaultCountry === null ? undefined : parse(written, defaultCountry);
  if (national?.isValid()) return digits(national);
  // No country code begins with 0: it is what people dial before a national number.
  return (written.startsWith('0') ? null : possible(international(written))) ?? possible(national);
}

function international(withCountryCode: string): PhoneNumber | undefined {
  return parsePhoneNumberFromString(`+${withCountryCode}`);
}

function parse(written: string, country: string): PhoneNumber | undefined {
  return isSupportedCountry(country) ? parsePhoneNumberFromString(written, country) : undefined;
}

function possible(number: PhoneNumber | undefined): string | null {
  return number?.isPossible() ? digits(number) : null;
}

function digits(number: PhoneNumber): string {
  return number.number.slice(1);
}

function digitsAndPlus(text: string): string {
  return text.replaceAll(/[^\d+]/g, '');
}
