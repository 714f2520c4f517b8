/**
 * A fault of an earlier release whose traces are still in the rows. `find` lists the ids of what is wrong, and `mends`
 * are the statements that put it right, in one transaction. Both may run again at any time: what is right is not found.
 */
export interface Repair {
  name: string;
  /** Says what is wrong, after a count. */
  title: string;
  find: string;
  mends: readonly string[];
}
