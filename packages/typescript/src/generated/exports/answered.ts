// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The export of one tenant: its progress, and where its file is. */
export interface TenantExport {
  /** The id of an export. */
  id: string;
  /** The tenant that is exported. */
  tenantId: string;
  /** How far it is. */
  status: 'running' | 'done' | 'gone';
  /** Why its file is no longer kept. Null while it is kept. */
  goneReason: 'expired' | 'erased' | 'deleted' | null;
  /** How many rows are written so far, by database table. */
  counts: Record<string, number>;
  /** How many files are in it so far, including pictures of contacts and thumbnails. */
  files: number;
  /** Files that messages name and the store did not have. */
  missingFiles: number;
  /** The size of its file so far; once it is done, the full size. */
  sizeBytes: number;
  /** The address of the file, with the same key. Null until it is done, and once it is no longer kept. */
  downloadUrl: string | null;
  /** When it was requested. */
  createdAt: string;
  /** When it ended. Null before that. */
  endedAt: string | null;
  /** Until when the file is kept. Null until it ends. */
  expiresAt: string | null;
}

export interface ExportsListAnswer {
  /** The exports on this page. */
  exports: TenantExport[];
  /** True if more rows follow. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}
