// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import { Resource } from '../../resource.ts';
import type { Brand } from './answered.ts';
import type { BrandReadQuery, BrandUpdateQuery, SetBrand } from './given.ts';

export class BrandCalls extends Resource {
  /** Read an agency's logo and colour */
  read(query: BrandReadQuery = {}, options?: CallOptions): Promise<Brand> {
    return this.caller.call({ method: 'GET', path: '/api/v1/brand', query, takes: 'agency' }, options);
  }

  /** Set an agency's logo and colour */
  update(input: SetBrand & BrandUpdateQuery = {}, options?: CallOptions): Promise<Brand> {
    const { agencyId, ...body } = input;
    return this.caller.call({ method: 'PUT', path: '/api/v1/brand', query: { agencyId }, body }, options);
  }
}
