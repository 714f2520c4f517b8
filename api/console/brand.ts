import type Router from '@koa/router';
import type { Brand } from '../../db/tenants/brand.ts';
import { findLogo } from '../../db/tenants/brand.ts';
import type { Database } from '../../db/engine/database.ts';
import { notFound } from '../../domain/error.ts';
import type { RequestState } from '../wire/request-state.ts';

const ROUTE = '/console/brands/:file';

/** Serves logos from the console's own origin, which its policy allows and no other. */
export function mountLogos(router: Router<RequestState>, database: Database): void {
  router.get(ROUTE, async (context) => {
    context.state.route = ROUTE;
    const digest = /^([0-9a-f]{64})\.png$/.exec(context.params['file'] ?? '')?.[1];
    const logo = digest === undefined ? undefined : await database.read((queries) => findLogo(queries, digest));
    if (logo === undefined) throw notFound('file');
    // The bytes come from an agency, so no browser may take them for anything but a picture.
    context.set('x-content-type-options', 'nosniff');
    context.set('content-security-policy', "default-src 'none'; sandbox");
    context.set('cross-origin-resource-policy', 'same-origin');
    context.set('cache-control', 'public, max-age=31536000, immutable');
    context.body = logo;
    context.type = 'image/png';
  });
}

/** A brand as the console reads it: the name of the file is below its own address. */
export function shownBrand(
  brand: Brand | undefined,
): { name: string; colour: string | null; logo: string | null } | null {
  if (brand === undefined) return null;
  const { name, colour, logoDigest } = brand;
  return { name, colour, logo: logoDigest === null ? null : `${logoDigest}.png` };
}
