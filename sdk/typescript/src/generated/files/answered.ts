// Made from openapi.json by `npm run client`: change the routes, not this file.

/** An uploaded file, ready for the messages that send it. */
export interface UploadedFile {
  /** The id to send as `fileId` of an attachment, in any number of messages of the tenant. */
  fileId: string;
  /** Names the upload in lists of uploads, and when it is ended. */
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
