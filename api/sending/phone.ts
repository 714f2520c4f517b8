import { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { PhoneNumber } from 'libphonenumber-js/max';

/** The characters that people write numbers with. */
const WRITTEN = /^\+?[\d\s().\-/]+$/;

/**
 * Matches numbers that no numbering plan knows and that are in use all the same: +1 555 is for examples and the
 * sandbox, and the network keeps the addresses of Brazil's mobiles from when these had eight digits.
 */
const KNOWN_FORMS = /^(1555\d{7}|55[1-9]{2}[6-9]\d{7})$/;

export function looksLikePhone(text: string): boolean {
  return WRITTEN.test(text.trim());
}

/**
 * Returns true when the number states its country. Any other number may be meant as one of the tenant's own country.
 */
export function namesItsCountry(text: string): boolean {
  return /^(\+|00)/.test(digitsAndPlus(text));
}

/** Returns true when the text is nothing but digits, which is how the engine itself writes phone numbers. */
export function isBareDigits(text: string): boolean {
  return /^\d{5,15}$/.test(text.trim());
}

export type PhoneReading = { digits: string } | { problem: 'impossible' | 'ambiguous' };

/**
 * Returns the number's digits with its country code. A number with `+` only has to be possible, since countries open
 * new ranges before a library knows of them. A number without `+` has to be in use as it is read, or else a stranger
 * abroad gets a message meant for a neighbour: "11 91234-5678" is in São Paulo for a Brazilian tenant and would be in
 * North America otherwise.
 */
export function readPhone(text: string, country: string | null): PhoneReading {
  const written = digitsAndPlus(text);
  if (namesItsCountry(text)) return reading(possible(international(written.replace(/^(\+|00)/, ''))));
  const home = country !== null && isSupportedCountry(country) ? country : null;
  const national = home === null ? undefined : parsePhoneNumberFromString(written, home);
  // People write a leading 0 or an area code in brackets only before national numbers.
  if (/^[(0]/.test(text.trim())) return reading(possible(national));
  const abroad = international(written);
  const certain = isCertain(abroad) ? digits(abroad) : null;
  if (certain !== null && home !== null && written.startsWith(getCountryCallingCode(home))) return { digits: certain };
  if (certain === null) return reading(possible(national));
  if (!national?.isValid() || digits(national) === certain) return { digits: certain };
  return { problem: 'ambiguous' };
}

/**
 * Drops the 1 after Mexico's country code, which its mobiles lost in 2019: old address books and the network still have
 * it.
 */
function international(withCountryCode: string): PhoneNumber | undefined {
  return parsePhoneNumberFromString(`+${withCountryCode.replace(/^521(\d{10})$/, '52$1')}`);
}

function isCertain(number: PhoneNumber | undefined): number is PhoneNumber {
  return number !== undefined && (number.isValid() || KNOWN_FORMS.test(digits(number)));
}

function possible(number: PhoneNumber | undefined): string | null {
  return number?.isPossible() ? digits(number) : null;
}

function reading(digitsOrNull: string | null): PhoneReading {
  return digitsOrNull === null ? { problem: 'impossible' } : { digits: digitsOrNull };
}

function digits(number: PhoneNumber): string {
  return number.number.slice(1);
}

function digitsAndPlus(text: string): string {
  return text.replaceAll(/[^\d+]/g, '');
}
