import { defineEntity, p } from '@mikro-orm/core';
import type { InferEntity } from '@mikro-orm/core';
import type { TenantScope } from '../domain/scope.ts';
import type { Queries } from './database.ts';

export const Contact = defineEntity({
  name: 'Contact',
  tableName: 'contact',
  properties: {
    id: p.string().primary(),
    agencyId: p.string(),
    tenantId: p.string(),
    chatId: p.string(),
    name: p.string().nullable(),
    pushName: p.string().nullable(),
    createdAt: p.datetime(),
  },
});
export type Contact = InferEntity<typeof Contact>;

export async function findContactInScope(queries: Queries, scope: TenantScope, id: string): Promise<Contact | null> {
  return queries.em.findOne(Contact, { agencyId: scope.agencyId, tenantId: scope.tenantId, id });
}
