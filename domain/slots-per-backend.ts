import type { FairSlots } from './fair-slots.ts';

/** Slots before each backend: calls that hang at one of them take no slot of another. */
export interface SlotsPerBackend<S = FairSlots> {
  of(session: { backend: string }): S;
}

export function slotsPerBackend(make: () => FairSlots): SlotsPerBackend {
  const slots = new Map<string, FairSlots>();
  return {
    of({ backend }) {
      const own = slots.get(backend) ?? make();
      slots.set(backend, own);
      return own;
    },
  };
}
