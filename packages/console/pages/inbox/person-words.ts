/** Writes the digits of a phone as people dial them. */
export const phoneOf = (digits: string): string => (/^\d+$/.test(digits) ? `+${digits}` : digits);
