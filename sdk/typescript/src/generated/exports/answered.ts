// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The export of one tenant: how far it is, and where its file is. */
export interface TenantExport {
  /** The id of an export. */
  id: string;
  /** The tenant that is exported. */
  tenantId: string;
  /** How far it is. */
  status: 'running' | 'done' | 'gone';
  /** Why its file is not kept any more. Null while it is. */
  goneReason: 'expired' | 'erased' | 'deleted' | null;
  /** How many rows are written so far, by the table of the database. */
  counts: Record<string, number>;
  /** How many files are in it so far, pictures of contacts and thumbnails included. */
  files: number;
  /** Files that messages name and the store did not have. */
  missingFiles: number;
  /** The size of its file so far; once it is done, of the whole. */
  sizeBytes: number;
  /** Where the file is, with the same key. Null until it is done, and once it is gone. */
  downloadUrl: string | null;
  /** When it was asked for. */
  createdAt: string;
  /** When it ended. Null before. */
  endedAt: string | null;
  /** Until when the file is kept. Null before its end. */
  expiresAt: string | null;
}

export interface ExportsListAnswer {
  /** The exports of this page. */
  exports: TenantExport[];
  /** True where more follow after these. */
  hasMore: boolean;
  /** Asks for the page after this one, as `cursor`. Null where this is the last. */
  nextCursor: string | null;
}
