import type { DeliveryRecord, LoggedAttempt } from '../../db/webhooks/delivery-list.ts';
import type { EndpointRow } from '../../db/webhooks/endpoint-view.ts';
import { openHeaders } from '../../db/webhooks/endpoint-secrets.ts';
import type { EventRecord } from '../../db/webhooks/events/event-list.ts';
import type { Notice } from '../../db/webhooks/notices.ts';
import type { SecretBox } from '../../db/engine/secret-box.ts';
import type { LoginRef } from '../../domain/caller.ts';
import { shownAddress } from '../../domain/network/chat-id.ts';
import type { Reach } from '../../domain/scope.ts';
import { MASKED } from '../../domain/webhooks/endpoint.ts';
import type { EndpointView } from '../../domain/webhooks/endpoint.ts';
import { isLikelyConfiguration } from '../../domain/webhooks/record.ts';
import type { AttemptView, DeliveryView, EventView, NoticeView } from '../../domain/webhooks/record.ts';
import { isoOrNull } from '../wire/iso-time.ts';

export function toEndpointView(
  secrets: SecretBox,
  row: EndpointRow,
): Omit<EndpointView, 'events'> & { events: string[] } {
  const { failingSince, lastError, consecutiveFailures, pending, nextAttemptAt } = row;
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    events: row.events,
    tenantIds: row.tenantIds,
    sessionId: row.sessionId,
    ordering: row.ordering,
    ratePerSecond: row.ratePerSecond,
    concurrency: row.concurrency,
    timeoutMs: row.timeoutMs,
    retryLadderMs: row.retryLadderMs,
    headers: maskedHeaders(secrets, row),
    status: row.status,
    disabledReason: row.disabledReason,
    health: {
      state: healthOf(row),
      failingSince: isoOrNull(failingSince),
      lastError,
      consecutiveFailures,
      pending,
      nextAttemptAt: isoOrNull(nextAttemptAt),
    },
    source: row.source,
    createdAt: row.createdAt.toISOString(),
  };
}

function healthOf({
  status,
  breaker,
  failingSince,
  consecutiveFailures,
}: EndpointRow): EndpointView['health']['state'] {
  if (status === 'disabled') return 'disabled';
  if (breaker === 'open') return 'open';
  return breaker === 'half_open' || failingSince !== null || consecutiveFailures > 0 ? 'degraded' : 'healthy';
}

/** Shows the names only. Headers that were sealed under another key cannot be read, and are not sent either. */
function maskedHeaders(secrets: SecretBox, { id, headers }: EndpointRow): Record<string, string> {
  try {
    return Object.fromEntries(Object.keys(openHeaders(secrets, id, headers)).map((name) => [name, MASKED]));
  } catch {
    return {};
  }
}

export function toEventView(row: EventRecord & { body?: string }): EventView {
  const { id, type, tenantId, sessionId, conversationId, sequence, createdAt, isTrial, body } = row;
  const view = {
    id,
    type,
    tenantId,
    sessionId,
    conversationId,
    sequence,
    createdAt: createdAt.toISOString(),
    test: isTrial,
  };
  return body === undefined ? view : { ...view, body };
}

type EventShown = Pick<DeliveryView, 'eventType' | 'conversation'>;

/** Hides the person from people who came by a link to one endpoint: such a link shows no bodies of events either. */
function shownEvent({ event }: Pick<DeliveryRecord, 'event'>, login: LoginRef | undefined): EventShown {
  const isOfEndpoint = login?.link?.endpointId != null;
  const about = event?.conversation;
  const conversation =
    about && !isOfEndpoint ? { id: about.id, name: about.name ?? shownAddress(about.chatId, about.phoneChatId) } : null;
  return { eventType: event?.type ?? null, conversation };
}

export function toDeliveryView(row: DeliveryRecord, login: LoginRef | undefined): DeliveryView {
  const { id, endpointId, eventId, tenantId, status, attempts, lastClass, lastStatus, outOfOrder } = row;
  return {
    id,
    endpointId,
    eventId,
    ...shownEvent(row, login),
    tenantId,
    status,
    attempts,
    firstAttemptAt: isoOrNull(row.firstAttemptAt),
    nextAttemptAt: isoOrNull(row.nextAttemptAt),
    endedAt: isoOrNull(row.endedAt),
    lastClass,
    lastStatus,
    outOfOrder,
    eventAt: row.eventAt.toISOString(),
  };
}

/** Hides the receiver's answer from a session's key, because such a key does not manage endpoints. */
export function toAttemptView(row: LoggedAttempt, { sessionId }: Reach, login: LoginRef | undefined): AttemptView {
  const { at, isProbe, eventPlace: _place, event: _event, ...known } = row;
  const same = sessionId === null ? known : { ...known, location: null, responseExcerpt: null };
  return {
    ...same,
    ...shownEvent(row, login),
    at: at.toISOString(),
    probe: isProbe,
    likelyConfiguration: isLikelyConfiguration(row.class),
  };
}

export function toNoticeView(row: Notice): NoticeView {
  return { ...row, at: row.at.toISOString() };
}
