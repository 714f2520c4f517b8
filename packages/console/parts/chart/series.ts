/** The bars of one name. */
export interface Series {
  name: string;
  /** Null where there is nothing to show, which is not the same as 0. */
  values: readonly (number | null)[];
}

/** The heights of bars, in units of the axis. Nothing has no bar, and its outline would be a line. */
export const heightsOf = ({ values }: Series, size: number): (number | null)[] =>
  values.map((value) => (value === null || value === 0 ? null : value / size));
