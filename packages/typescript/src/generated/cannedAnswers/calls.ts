// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { CannedAnswer, CannedAnswersListAnswer } from './answered.ts';
import type { CannedAnswersDeleteQuery, CannedAnswersListQuery, SetCannedAnswer } from './given.ts';

export class CannedAnswersCalls extends Resource {
  /** List a tenant's canned answers */
  list(query: CannedAnswersListQuery = {}, options?: CallOptions): Listed<CannedAnswersListAnswer, CannedAnswer> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/canned-answers', query, takes: 'tenant' },
      (page) => page.cannedAnswers,
      options,
    );
  }

  /** Set a canned answer */
  set(shortcut: string, body: SetCannedAnswer, options?: CallOptions): Promise<CannedAnswer> {
    return this.caller.call(
      { method: 'PUT', path: path`/api/v1/canned-answers/${shortcut}`, body, takes: 'tenant' },
      options,
    );
  }

  /** Delete a canned answer */
  delete(shortcut: string, query: CannedAnswersDeleteQuery = {}, options?: CallOptions): Promise<void> {
    return this.caller.silent(
      { method: 'DELETE', path: path`/api/v1/canned-answers/${shortcut}`, query, takes: 'tenant' },
      options,
    );
  }
}
