// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { ExportsListAnswer, TenantExport } from './answered.ts';
import type {
  ExportsCreateBody,
  ExportsDeleteQuery,
  ExportsDownloadQuery,
  ExportsListQuery,
  ExportsReadQuery,
} from './given.ts';

export class ExportsCalls extends Resource {
  /** Export all data of a tenant */
  create(tenantId: string, body: ExportsCreateBody = {}, options?: CallOptions): Promise<TenantExport> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/tenants/${tenantId}/exports`, body, takes: 'tenant', keyed: true },
      options,
    );
  }

  /** List the exports of a tenant */
  list(tenantId: string, query: ExportsListQuery = {}, options?: CallOptions): Listed<ExportsListAnswer, TenantExport> {
    return this.caller.list(
      { method: 'GET', path: path`/api/v1/tenants/${tenantId}/exports`, query, takes: 'agency' },
      (page) => page.exports,
      options,
    );
  }

  /** Read an export's progress */
  read(tenantId: string, id: string, query: ExportsReadQuery = {}, options?: CallOptions): Promise<TenantExport> {
    return this.caller.call(
      { method: 'GET', path: path`/api/v1/tenants/${tenantId}/exports/${id}`, query, takes: 'agency' },
      options,
    );
  }

  /** Delete the file of an export */
  delete(tenantId: string, id: string, query: ExportsDeleteQuery = {}, options?: CallOptions): Promise<void> {
    return this.caller.silent(
      { method: 'DELETE', path: path`/api/v1/tenants/${tenantId}/exports/${id}`, query, takes: 'agency' },
      options,
    );
  }

  /** Download the file of an export */
  download(tenantId: string, id: string, query: ExportsDownloadQuery = {}, options?: CallOptions): Promise<Response> {
    return this.caller.file(
      { method: 'GET', path: path`/api/v1/tenants/${tenantId}/exports/${id}/file`, query, takes: 'agency' },
      options,
    );
  }
}
