// Made from openapi.json by `npm run client`: change the routes, not this file.

/** An uploaded file, ready for the messages that send it. */
export interface UploadedFile {
  /** The id to send as `fileId` of an attachment, in any number of messages of the tenant. */
  fileId: string;
  /** Names the upload in the list of uploads, and to end it. */
  id: string;
  /** The type that the bytes show; if they show none, the type that the request gave. */
  mimeType: string;
  /** The name, in a form that is safe on every system. */
  fileName: string | null;
  /** Its size. */
  sizeBytes: number;
  /** The digest of its bytes, in hexadecimal digits. */
  sha256: string;
  /** Messages may use the file until then; uploading it again extends this. A file that a message uses is kept as long as files of messages are. */
  expiresAt: string;
}

/** An uploaded file that messages may use. */
export interface Upload {
  /** The id of an upload. */
  id: string;
  /** The id of the key or link that uploaded it, or `master`. */
  madeBy: string;
  /** The id of the console login that uploaded it, with which it ends. Null if no login did. */
  loginId: string | null;
  /** Its type. */
  mimeType: string;
  /** Its size. */
  sizeBytes: number;
  /** When it was first uploaded. */
  createdAt: string;
  /** Until when messages may use it. */
  expiresAt: string;
}

export interface FilesListAnswer {
  /** The uploads on this page. */
  uploads: Upload[];
  /** True if more rows follow. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}
