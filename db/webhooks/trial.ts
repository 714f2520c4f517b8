import { EVENT_CATALOGUE } from '../../domain/webhooks/event-catalogue.ts';
import type { EventPayload, EventType } from '../../domain/webhooks/event.ts';
import type { Tx } from '../engine/tx.ts';
import type { EndpointRow } from './endpoint-view.ts';
import { newId } from '../engine/new-id.ts';

/** Sends an endpoint the catalogue's example of this event type, marked as a test. Returns the event's id. */
export function emitTrial(
  tx: Tx,
  endpoint: Pick<EndpointRow, 'id' | 'agencyId' | 'tenantIds'>,
  type: EventType,
): string {
  const id = newId('evt');
  tx.emit({
    ...exampleOf(type, endpoint.id, Math.floor(tx.now.getTime() / 1_000)),
    id,
    agencyId: endpoint.agencyId,
    tenantId: endpoint.tenantIds?.length === 1 ? (endpoint.tenantIds[0] ?? null) : null,
    sessionId: null,
    conversationId: null,
    trialOf: endpoint.id,
  });
  return id;
}

function exampleOf(type: EventType, endpointId: string, timestamp: number): EventPayload {
  const { example } = EVENT_CATALOGUE[type];
  if (example.event !== 'endpoint.test') return example;
  return { event: example.event, payload: { ...example.payload, endpointId, timestamp } };
}
