/** Places that cannot be taken back once they are taken, and how an owner stands among the others. */
interface Standing {
  own: number;
  used: number;
  places: number;
  /** How many times the usual share the owner has. */
  weight?: number;
}

/**
 * Tells whether an owner may take one more place: only while more are free than it has. One owner alone then gets half
 * of all, two a third each, and whoever comes next always finds some.
 */
export function mayTake({ own, used, places, weight = 1 }: Standing): boolean {
  return own < weight * (places - used);
}

/** How many times the usual share an agency has of what all compete for. */
export interface AgencyShares {
  weightOf(agencyId: string): number;
}

export const EQUAL_SHARES: AgencyShares = { weightOf: () => 1 };
