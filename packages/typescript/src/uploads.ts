import { described } from './files.ts';
import type { AboutFile, GivenFile } from './files.ts';
import { FilesCalls } from './generated/files/calls.ts';
import type { Attachment } from './generated/types.ts';
import type { CallOptions } from './options.ts';

/** Files to send. */
export class FilesAndAttachments extends FilesCalls {
  /**
   * Uploads a file and makes an attachment of it: its type and name are those of the `Blob` or `File` unless `about` says
   * otherwise, and its kind is what the network shows of that type. Messages may name it for 24 hours.
   */
  async attach(file: GivenFile, about: AboutFile = {}, options: CallOptions = {}): Promise<Attachment> {
    const attachment = described(file, about);
    const { mimeType, fileName } = attachment;
    const typed =
      mimeType === undefined ? options : { ...options, headers: { ...options.headers, 'content-type': mimeType } };
    const { fileId } = await this.upload(file, { fileName }, typed);
    return { ...attachment, fileId };
  }
}
