// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { LabelsSet, ListedLabels } from './answered.ts';
import type { LabelsListQuery, SetLabels } from './given.ts';

export class LabelsCalls extends Resource {
  /** List the labels of the account */
  list(
    id: string,
    query: LabelsListQuery = {},
    options?: CallOptions,
  ): Listed<ListedLabels, ListedLabels['labels'][number]> {
    return this.caller.list(
      { method: 'GET', path: path`/api/v1/sessions/${id}/labels`, query, takes: 'tenant' },
      (page) => page.labels,
      options,
    );
  }

  /** Set the labels of a chat */
  set(id: string, body: SetLabels, options?: CallOptions): Promise<LabelsSet> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/sessions/${id}/labels/set`, body, takes: 'tenant', once: true },
      options,
    );
  }
}
