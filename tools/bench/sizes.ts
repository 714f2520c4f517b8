/** The sizes of the scale paths, from the command line. */
export interface Sizes {
  /** Numbers of API processes, and as many workers. */
  processes: number[];
  sessions: number[];
  endpoints: number;
  /** The sessions that a supervisor follows; the others are rows. */
  supervised: number;
}
