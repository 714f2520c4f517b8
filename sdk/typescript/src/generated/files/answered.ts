// Made from openapi.json by `npm run client`: change the routes, not this file.

/** A file that waits for the messages that send it. */
export interface UploadedFile {
  /** What an attachment names as `fileId`, in as many messages of the tenant as you like. */
  fileId: string;
  /** What the bytes show; where they show nothing, what the request said. */
  mimeType: string;
  /** The name, as it is safe on every system. */
  fileName: string | null;
  /** Its size. */
  sizeBytes: number;
  /** The digest of its bytes, in hexadecimal digits. */
  sha256: string;
  /** Until then messages may name it; another upload moves that. What a message names is kept as long as files of messages are. */
  expiresAt: string;
}
