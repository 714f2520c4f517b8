// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { AdminBackendsListAnswer, BackendView } from './answered.ts';
import type { MoveSession } from './given.ts';
import type { SessionStatus } from '../shared/answered-2.ts';

export class AdminBackendsCalls extends Resource {
  /** List the messaging backends */
  list(options?: CallOptions): Listed<AdminBackendsListAnswer, BackendView> {
    return this.caller.list({ method: 'GET', path: '/api/v1/admin/backends' }, (page) => page.backends, options);
  }

  /** Move a session to another backend */
  moveSession(id: string, body: MoveSession, options?: CallOptions): Promise<SessionStatus> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/admin/sessions/${id}/move`, body, once: true },
      options,
    );
  }
}
