// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  ConsoleLogin,
  ConsoleLoginsListAnswer,
  ConsoleLoginsListOfOperatorAnswer,
  OperatorLogin,
} from './answered.ts';
import type { ConsoleLoginsEndQuery, ConsoleLoginsListOfOperatorQuery, ConsoleLoginsListQuery } from './given.ts';

export class ConsoleLoginsCalls extends Resource {
  /** List console logins */
  list(query: ConsoleLoginsListQuery = {}, options?: CallOptions): Listed<ConsoleLoginsListAnswer, ConsoleLogin> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/console/logins', query, takes: 'tenant' },
      (page) => page.logins,
      options,
    );
  }

  /** End a console login */
  end(id: string, query: ConsoleLoginsEndQuery = {}, options?: CallOptions): Promise<void> {
    return this.caller.silent(
      { method: 'DELETE', path: path`/api/v1/console/logins/${id}`, query, takes: 'tenant' },
      options,
    );
  }

  /** List the operator's console logins */
  listOfOperator(
    query: ConsoleLoginsListOfOperatorQuery = {},
    options?: CallOptions,
  ): Listed<ConsoleLoginsListOfOperatorAnswer, OperatorLogin> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/admin/console/logins', query },
      (page) => page.logins,
      options,
    );
  }

  /** End an operator's console login */
  endOfOperator(id: string, options?: CallOptions): Promise<void> {
    return this.caller.silent({ method: 'DELETE', path: path`/api/v1/admin/console/logins/${id}` }, options);
  }
}
