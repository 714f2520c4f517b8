import { z } from 'zod';

const Unsaid = z.union([z.number(), z.boolean(), z.iso.datetime({ offset: true })]);

/** Leaves out of an input what a person may read: it never goes to Temporal. */
export function unsaid(input: Readonly<Record<string, unknown>>): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) => {
      const read = Unsaid.safeParse(value);
      return read.success ? [[name, read.data] as const] : [];
    }),
  );
}
