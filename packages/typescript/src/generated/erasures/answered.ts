// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The erasure of one person: its progress, and what was erased where. */
export interface Erasure {
  /** The id of an erasure. */
  id: string;
  /** The contact that is erased. No contact has this id afterwards. */
  contactId: string;
  /** Whether it has ended. */
  status: 'running' | 'done';
  /** How far it is. */
  step: 'messages' | 'person' | 'files' | 'records' | 'done';
  /** The reason for the wait. Null while it continues. */
  waitsFor: 'send_under_way' | 'just_said' | 'event_unapplied' | 'transaction_under_way' | 'rows_left' | null;
  /** Rows deleted or blanked so far, by table. `files` counts stored files, including those of withdrawn exports. */
  erased: Record<string, number>;
  /** Data that remains after an erasure, and for how long: backups, and texts of others. */
  kept: string[];
  /** When it was requested. */
  createdAt: string;
  /** From then on, the person is unknown. Null before that moment. */
  erasedAt: string | null;
  /** When it ended. Null before that. */
  endedAt: string | null;
}

export interface ErasuresListAnswer {
  /** The erasures on this page. */
  erasures: Erasure[];
  /** True if more rows follow. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}
