// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The erasure of one person: how far it is, and what was erased where. */
export interface Erasure {
  /** The id of an erasure. */
  id: string;
  /** The contact who is erased. No contact has this id afterwards. */
  contactId: string;
  /** Whether it has ended. */
  status: 'running' | 'done';
  /** How far it is. */
  step: 'messages' | 'person' | 'files' | 'records' | 'done';
  /** What it waits for. Null while it goes on. */
  waitsFor: 'send_under_way' | 'event_unapplied' | 'transaction_under_way' | null;
  /** How many rows were deleted or blanked so far, by the table of the database; a row that was blanked first and deleted then counts twice. `files` counts files of the store, also those of exports that were taken back. */
  erased: Record<string, number>;
  /** What is still there after an erasure, and for how long: backups, and what others wrote. */
  kept: string[];
  /** When it was asked for. */
  createdAt: string;
  /** From then on the person is unknown. Null before that moment. */
  erasedAt: string | null;
  /** When it ended. Null before. */
  endedAt: string | null;
}

export interface ErasuresListAnswer {
  /** The erasures of this page. */
  erasures: Erasure[];
  /** True where more follow after these. */
  hasMore: boolean;
  /** Asks for the page after this one, as `cursor`. Null where this is the last. */
  nextCursor: string | null;
}
