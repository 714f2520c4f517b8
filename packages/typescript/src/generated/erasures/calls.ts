// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { Erasure, ErasuresListAnswer } from './answered.ts';
import type { EraseContact, ErasuresListQuery, ErasuresReadQuery } from './given.ts';

export class ErasuresCalls extends Resource {
  /** Erase all data of a person */
  create(contactId: string, body: EraseContact = {}, options?: CallOptions): Promise<Erasure> {
    return this.caller.call(
      { method: 'POST', path: path`/api/v1/contacts/${contactId}/erase`, body, takes: 'agency', keyed: true },
      options,
    );
  }

  /** Read an erasure's progress and results */
  read(id: string, query: ErasuresReadQuery = {}, options?: CallOptions): Promise<Erasure> {
    return this.caller.call({ method: 'GET', path: path`/api/v1/erasures/${id}`, query, takes: 'agency' }, options);
  }

  /** List the erasures of an agency */
  list(query: ErasuresListQuery = {}, options?: CallOptions): Listed<ErasuresListAnswer, Erasure> {
    return this.caller.list(
      { method: 'GET', path: '/api/v1/erasures', query, takes: 'agency' },
      (page) => page.erasures,
      options,
    );
  }
}
