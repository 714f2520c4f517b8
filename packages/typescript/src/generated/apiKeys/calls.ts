// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { ApiKey, ApiKeyCreated, ApiKeysListAnswer } from './answered.ts';
import type { ApiKeysListQuery, ApiKeysRevokeQuery, CreateApiKey, CreateDashboardKey, RotateApiKey } from './given.ts';

export class ApiKeysCalls extends Resource {
  /** Create a key for one session */
  create(body: CreateApiKey, options?: CallOptions): Promise<ApiKeyCreated> {
    return this.caller.call({ method: 'POST', path: '/api/v1/api-keys', body, takes: 'tenant', keyed: true }, options);
  }

  /** List the agency's keys */
  list(query: ApiKeysListQuery = {}, options?: CallOptions): Listed<ApiKeysListAnswer, ApiKey> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/api-keys', query, takes: 'agency' },
      (page) => page.apiKeys,
      options,
    );
  }

  /** Create another key for the dashboard */
  createForDashboard(body: CreateDashboardKey, options?: CallOptions): Promise<ApiKeyCreated> {
    return this.caller.call(
      { method: 'POST', path: '/api/v1/api-keys/dashboard', body, takes: 'agency', keyed: true },
      options,
    );
  }

  /** Rotate a key */
  rotate(id: string, body: RotateApiKey = {}, options?: CallOptions): Promise<ApiKeyCreated> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/api-keys/${id}/rotate`, body, takes: 'agency', keyed: true },
      options,
    );
  }

  /** Revoke a key */
  revoke(id: string, query: ApiKeysRevokeQuery = {}, options?: CallOptions): Promise<void> {
    return this.caller.silent(
      { method: 'DELETE', path: path`/api/v1/api-keys/${id}`, query, takes: 'agency' },
      options,
    );
  }
}
