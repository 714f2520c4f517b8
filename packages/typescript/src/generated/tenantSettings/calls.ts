// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { RetentionPreview, TenantLoad, TenantSettings, TenantSettingsChanged, TenantUsage } from './answered.ts';
import type {
  TenantSettingsPreviewRetentionQuery,
  TenantSettingsReadLoadQuery,
  TenantSettingsReadQuery,
  TenantSettingsReadUsageQuery,
  UpdateSettings,
} from './given.ts';

export class TenantSettingsCalls extends Resource {
  /** Read the settings of a tenant */
  read(tenantId: string, query: TenantSettingsReadQuery = {}, options?: CallOptions): Promise<TenantSettings> {
    return this.caller.call(
      { method: 'GET', path: path`/api/v1/tenants/${tenantId}/settings`, query, takes: 'agency' },
      options,
    );
  }

  /** Update the settings of a tenant */
  update(tenantId: string, body: UpdateSettings = {}, options?: CallOptions): Promise<TenantSettingsChanged> {
    return this.caller.call(
      { method: 'PUT', path: path`/api/v1/tenants/${tenantId}/settings`, body, takes: 'tenant' },
      options,
    );
  }

  /** Preview a retention period */
  previewRetention(
    tenantId: string,
    query: TenantSettingsPreviewRetentionQuery = {},
    options?: CallOptions,
  ): Promise<RetentionPreview> {
    return this.caller.call(
      { method: 'GET', path: path`/api/v1/tenants/${tenantId}/retention`, query, takes: 'agency' },
      options,
    );
  }

  /** Read a tenant's storage and its agent's usage */
  readUsage(tenantId: string, query: TenantSettingsReadUsageQuery = {}, options?: CallOptions): Promise<TenantUsage> {
    return this.caller.call(
      { method: 'GET', path: path`/api/v1/tenants/${tenantId}/usage`, query, takes: 'agency' },
      options,
    );
  }

  /** Read a tenant's waiting and hourly messages */
  readLoad(tenantId: string, query: TenantSettingsReadLoadQuery = {}, options?: CallOptions): Promise<TenantLoad> {
    return this.caller.call(
      { method: 'GET', path: path`/api/v1/tenants/${tenantId}/load`, query, takes: 'agency' },
      options,
    );
  }
}
