import type { z } from 'zod';
import { fieldsOf, recordChange } from '../../db/audit.ts';
import { changeBrand, findBrand } from '../../db/tenants/brand.ts';
import type { Queries } from '../../db/engine/tx.ts';
import type { FieldError } from '../../domain/errors/entry.ts';
import { invalid, notFound } from '../../domain/error.ts';
import { BrandView, SetBrand, wrongWithColour, wrongWithLogo } from '../../domain/tenants/brand.ts';
import { defineRoute } from '../deps.ts';

export const brandRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/brand',
    auth: 'agency',
    scope: 'read',
    operationId: 'brand.read',
    summary: "Read an agency's logo and colour",
    reply: BrandView,
    errors: ['not_found'],
    handle: ({ caller: { agencyId } }, { database }) => database.read((queries) => readBrand(queries, agencyId)),
  }),

  defineRoute({
    method: 'PUT',
    path: '/api/v1/brand',
    auth: 'agency',
    scope: 'keys',
    operationId: 'brand.update',
    summary: "Set an agency's logo and colour",
    description:
      'People who came by a console link see them. The engine serves the logo from its own address.\n\nNeeds ' +
      'the scope of console links, because only their holders see it.',
    body: SetBrand,
    reply: BrandView,
    errors: ['not_found'],
    async handle({ caller, body: { colour, logo } }, { database }) {
      const { agencyId } = caller;
      const bytes = logo == null ? logo : Buffer.from(logo, 'base64');
      const wrong: FieldError[] = [
        ...refused('/colour', colour == null ? null : wrongWithColour(colour)),
        ...refused('/logo', bytes == null ? null : wrongWithLogo(bytes)),
      ];
      if (wrong.length > 0) throw invalid(wrong);
      return database.transaction(async (tx) => {
        const brand = await readBrand(tx, agencyId);
        const fields = fieldsOf({ colour, logo });
        if (fields.length === 0) return brand;
        await changeBrand(tx, agencyId, { colour, logo: bytes });
        const change = {
          of: { agencyId },
          object: 'brand',
          objectId: agencyId,
          action: 'changed',
          detail: { fields },
        } as const;
        await recordChange(tx, change, caller);
        return readBrand(tx, agencyId);
      });
    },
  }),
];

const refused = (pointer: string, message: string | null): FieldError[] =>
  message === null ? [] : [{ pointer, message }];

async function readBrand(queries: Queries, agencyId: string): Promise<z.input<typeof BrandView>> {
  const found = await findBrand(queries, agencyId);
  if (!found) throw notFound('agency');
  const { name, colour, logoDigest } = found;
  const root = queries.webhooks.publicUrl;
  return { name, colour, logoUrl: logoDigest === null ? null : `${root}/console/brands/${logoDigest}.png` };
}
