import { chatIdOfPhone, phoneOfChatId } from './chat-id.ts';

/**
 * The spellings in which one person's number is in use. The network knows each person under one of them, and address
 * books hold the others.
 */
const RULES: readonly { country: string; forms: (national: string) => string[] }[] = [
  // Mexico: mobiles had a 1 behind the country code until 2019.
  { country: '52', forms: (national) => eitherWay(national, /^(?:1)?(\d{10})$/, '1') },
  // Argentina: mobiles have a 9 behind the country code, and a 15 behind the area code where they are called at home.
  {
    country: '54',
    forms: (national) => [
      ...eitherWay(national, /^(?:9)?(\d{10})$/, '9'),
      ...[2, 3, 4].flatMap((areaDigits) => withoutFifteen(national, areaDigits)),
    ],
  },
  // Brazil: mobiles got a ninth digit. The network keeps many addresses from before.
  {
    country: '55',
    forms: (national) => {
      const [, area, local] = /^([1-9]{2})9?([6-9]\d{7})$/.exec(national) ?? [];
      return area === undefined ? [] : [`${area}9${local}`, `${area}${local}`];
    },
  },
];

/**
 * Returns the other addresses that a person may have whom the network shows under these. They include spellings under
 * which the network knows nobody, and which an address book may hold.
 */
export function otherAddresses(addresses: readonly string[]): string[] {
  const phones = addresses.flatMap((address) => phoneOfChatId(address) ?? []);
  const forms = phones.flatMap((phone) => [...otherForms(phone), ...withFifteen(phone)]).map(chatIdOfPhone);
  return [...new Set(forms)].filter((form) => !addresses.includes(form));
}

/** Returns the other spellings of a number, which is given in digits with its country code. */
export function otherForms(phone: string): string[] {
  const forms = RULES.filter(({ country }) => phone.startsWith(country)).flatMap(({ country, forms: of }) =>
    of(phone.slice(country.length)).map((national) => `${country}${national}`),
  );
  return [...new Set(forms)].filter((form) => form !== phone);
}

function eitherWay(national: string, plain: RegExp, mark: string): string[] {
  const digits = plain.exec(national)?.[1];
  return digits === undefined ? [] : [`${mark}${digits}`, digits];
}

function withoutFifteen(national: string, areaDigits: number): string[] {
  const [, area = '', local = ''] =
    new RegExp(`^9?(\\d{${areaDigits}})15(\\d{${10 - areaDigits}})$`).exec(national) ?? [];
  return area === '' ? [] : [`9${area}${local}`, `${area}${local}`];
}

/** Spells an Argentine mobile as it is called at home. */
function withFifteen(phone: string): string[] {
  const digits = /^549?(\d{10})$/.exec(phone)?.[1];
  if (digits === undefined) return [];
  return [2, 3, 4].flatMap((areaDigits) => {
    const called = `${digits.slice(0, areaDigits)}15${digits.slice(areaDigits)}`;
    return [`54${called}`, `549${called}`];
  });
}
