import { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { PhoneNumber } from 'libphonenumber-js/max';

/** The characters that people write numbers with. */
const WRITTEN = /^\+?[\d\s().\-/]+$/;

/**
 * These numbers are in use, though no numbering plan says so: +1 555 is for examples and the sandbox; mobiles in Brazil had
 * eight digits once, and the network keeps such addresses.
 */
const KNOWN_FORMS = /^(1555\d{7}|55[1-9]{2}[6-9]\d{7})$/;

export function looksLikePhone(text: string): boolean {
  return WRITTEN.test(text.trim());
}

/** Whether the number says its country for sure. Others may be meant as a number of the tenant's own country. */
export function namesItsCountry(text: string): boolean {
  return /^(\+|00)/.test(digitsAndPlus(text));
}

/** Whether it is nothing but digits, as the engine itself writes the numbers of people. */
export function isBareDigits(text: string): boolean {
  return /^\d{5,15}$/.test(text.trim());
}

export type PhoneReading = { digits: string } | { problem: 'impossible' | 'ambiguous' };

/**
 * The number's digits with its country code. A number with `+` need only be possible, since countries open new ranges
 * before a library knows of them. Without it the number must be in use the way it is read, or else somebody abroad gets
 * what was meant for a neighbour: "11 91234-5678" is São Paulo to a Brazilian and would be North America to everybody.
 */
export function readPhone(text: string, country: string | null): PhoneReading {
  const written = digitsAndPlus(text);
  if (namesItsCountry(text)) return reading(possible(international(written.replace(/^(\+|00)/, ''))));
  const home = country !== null && isSupportedCountry(country) ? country : null;
  const national = home === null ? undefined : parsePhoneNumberFromString(written, home);
  // The dialling prefix and the area code in brackets are written before national numbers only.
  if (/^[(0]/.test(text.trim())) return reading(possible(national));
  const abroad = international(written);
  const certain = isCertain(abroad) ? digits(abroad) : null;
  if (certain !== null && home !== null && written.startsWith(getCountryCallingCode(home))) return { digits: certain };
  if (certain === null) return reading(possible(national));
  if (!national?.isValid() || digits(national) === certain) return { digits: certain };
  return { problem: 'ambiguous' };
}

/** Mexico's mobiles lost the 1 after the country code in 2019; old address books and the network still have it. */
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
