// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { GivenFile } from '../../files.ts';
import { Resource } from '../../resource.ts';
import type { UploadedFile } from './answered.ts';
import type { FilesUploadQuery } from './given.ts';

export class FilesCalls extends Resource {
  /** Upload a file to send */
  upload(file: GivenFile, query: FilesUploadQuery = {}, options?: CallOptions): Promise<UploadedFile> {
    return this.caller.call({ method: 'POST', path: '/api/v1/files', file, query, takes: 'tenant' }, options);
  }
}
