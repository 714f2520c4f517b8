// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import type { GivenFile } from '../../files.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { FilesListAnswer, Upload, UploadedFile } from './answered.ts';
import type { FilesEndQuery, FilesListQuery, FilesUploadQuery } from './given.ts';

export class FilesCalls extends Resource {
  /** Upload a file to send */
  upload(file: GivenFile, query: FilesUploadQuery = {}, options?: CallOptions): Promise<UploadedFile> {
    return this.caller.call({ method: 'POST', path: '/api/v1/files', file, query, takes: 'tenant' }, options);
  }

  /** List uploads */
  list(query: FilesListQuery = {}, options?: CallOptions): Listed<FilesListAnswer, Upload> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/files', query, takes: 'tenant' },
      (page) => page.uploads,
      options,
    );
  }

  /** End an upload */
  end(id: string, query: FilesEndQuery = {}, options?: CallOptions): Promise<void> {
    return this.caller.silent({ method: 'DELETE', path: path`/api/v1/files/${id}`, query, takes: 'tenant' }, options);
  }
}
