/** Places that cannot be taken back once they are taken, and how an owner stands among the others. */
interface Standing {
  own: number;
  used: number;
  places: number;
  /** Multiplies the usual share of the owner. */
  weight?: number;
}

/**
 * Tells whether an owner may take one more place: only while more are free than it has. One owner alone then gets half
 * of all, two a third each, and whoever comes next always finds some.
 */
export function mayTake({ own, used, places, weight = 1 }: Standing): boolean {
  return own < weight * (places - used);
}

/** Multiplies an agency's usual share of contended resources. */
export interface AgencyShares {
  weightOf(agencyId: string): number;
}

export const EQUAL_SHARES: AgencyShares = { weightOf: () => 1 };
