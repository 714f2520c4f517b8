// Made from openapi.json by `npm run client`: change the routes, not this file.

/** A kind of report that the engine does not know. */
export interface UnknownReport {
  /** The unknown report. */
  kind: 'chat' | 'event' | 'content';
  /** Its name at the network. */
  name: string;
  /** How often it was reported. */
  times: number;
  /** When it was reported first. */
  firstAt: string;
  /** When it was reported last. */
  lastAt: string;
  /** The session of the last report. Null if not known. */
  sessionName: string | null;
  /** The last report as the backend sent it, cut at 16,384 characters. Null if it is not kept, or only a read of the history showed it. */
  raw: string | null;
}

export interface AdminUnknownReportsListAnswer {
  /** The 200 that were reported last. */
  reports: UnknownReport[];
}
