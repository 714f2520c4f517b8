// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { Resource } from '../../resource.ts';
import type { AuditEntry, AuditListAllAnswer, AuditListAnswer } from './answered.ts';
import type { AuditListAllQuery, AuditListQuery } from './given.ts';

export class AuditCalls extends Resource {
  /** List the audit log of an agency */
  list(query: AuditListQuery = {}, options?: CallOptions): Listed<AuditListAnswer, AuditEntry> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/audit', query, takes: 'agency' },
      (page) => page.entries,
      options,
    );
  }

  /** List the audit log of all agencies */
  listAll(query: AuditListAllQuery = {}, options?: CallOptions): Listed<AuditListAllAnswer, AuditEntry> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/admin/audit', query, takes: 'agency' },
      (page) => page.entries,
      options,
    );
  }
}
