import { z } from 'zod';
import type { NetworkLabel } from '../../../domain/network/network-event.ts';
import { Numeric, Text, Words } from './raw.ts';

/** A label, in lists and in events alike. */
export const RawLabel = z.object({
  id: z.union([Words, z.number()]).transform(String).pipe(z.string().min(1).max(64)),
  name: Text,
  color: Numeric,
  colorHex: Text,
});

export function toNetworkLabel({ id, name, color, colorHex }: z.output<typeof RawLabel>): NetworkLabel {
  return { id, name, color: color === null ? null : Math.floor(color), colorHex };
}
