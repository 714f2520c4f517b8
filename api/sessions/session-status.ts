import type { Session } from '../../db/sessions/session.ts';
import type { SessionStatus } from '../../domain/sessions/session.ts';
import { endOf } from '../../domain/network/ends.ts';

export function toSessionStatus(session: Session): SessionStatus {
  return {
    status: session.status,
    phone: session.chatId ? endOf(session.chatId) : null,
    accountName: session.pushName ?? null,
    platform: session.platform ?? null,
    id: session.id,
    name: session.name,
    backend: session.backend,
    agencyId: session.agencyId,
    tenantId: session.tenantId,
    default: session.isDefault,
    wanted: session.wish,
    pending: session.asked ?? null,
    statusChangedAt: session.statusChangedAt.toISOString(),
    silentSince: session.silentSince?.toISOString() ?? null,
    lastError: session.lastError ?? null,
  };
}
