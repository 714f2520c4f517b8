// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { Resource } from '../../resource.ts';
import type { AdminUnknownReportsListAnswer, UnknownReport } from './answered.ts';

export class AdminUnknownReportsCalls extends Resource {
  /** List unknown backend reports */
  list(options?: CallOptions): Listed<AdminUnknownReportsListAnswer, UnknownReport> {
    return this.caller.list({ method: 'GET', path: '/api/v1/admin/unknown-reports' }, (page) => page.reports, options);
  }
}
