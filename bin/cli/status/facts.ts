import type { EngineStatus } from '../../../db/operations/engine-status.ts';

/** The result of a query, or the reason of its failure. */
export type Found<T> = { is: 'found'; value: T } | { is: 'missing'; why: string };

export interface TemporalFacts {
  address: string;
  serverVersion: string;
  running: number;
  /** The executions of sessions among them. */
  supervisors: number;
  /** Failed, timed out, terminated, or with failing workflow tasks, as the view "Broken" lists them. */
  broken: number;
  /** Held by somebody's hand in Temporal, which nothing of the engine takes back. */
  paused: number;
}

export interface DiskFacts {
  dataDir: string;
  usedBytes: number;
  freeBytes: number;
}

export interface ApiFacts {
  url: string;
  /** The API's sentence about each failed dependency. */
  troubles: string[];
  /** The time that the database and Temporal took to answer the API. */
  answers: { name: string; ms: number }[];
}

/** Everything that `engine status` tells. */
export interface Facts {
  version: string;
  node: string;
  /** The engine of `npm start` on this data directory; null when the parts run elsewhere. */
  runs: { pid: number; version: string; since: string } | null;
  /** The process of an `npm start` that has the data directory and is not ready yet, or not any more. */
  comesOrGoes: number | null;
  uiUrl: string | null;
  api: Found<ApiFacts>;
  database: Found<EngineStatus>;
  temporal: Found<TemporalFacts>;
  /** Null where no data directory is there, as in production. */
  disk: DiskFacts | null;
}
