import { defineEntity, p } from '@mikro-orm/core';

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
    onNetwork: p.boolean().nullable(),
    checkedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
});
