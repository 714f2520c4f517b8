import { z } from 'zod';
import { MessageStatus } from '../../domain/sending/message.ts';
import type { TenantScope } from '../../domain/scope.ts';
import type { Queries } from '../engine/tx.ts';
import { rows } from '../engine/rows.ts';

const StatusOf = z.object({
  messageId: z.string(),
  status: MessageStatus,
  errorCode: z.string().nullable(),
  errorDetail: z.string().nullable(),
});
export type StatusOf = z.infer<typeof StatusOf>;

/** Reads the states of messages of a tenant. */
export async function listStatuses(
  queries: Queries,
  { agencyId, tenantId }: TenantScope,
  messageIds: readonly string[],
): Promise<StatusOf[]> {
  return rows(queries, StatusOf)`
    select id as "messageId", status, error_code as "errorCode", error_detail as "errorDetail" from message
    where id = any(${messageIds}::text[]) and agency_id = ${agencyId} and tenant_id = ${tenantId}`;
}
