// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { MessageAckEvent, MessageMediaEvent } from './answered-2.ts';
import type { MessageAnyEvent } from './answered-3.ts';
import type { MessageDeletedEvent, MessageEditedEvent, MessageUpdatedEvent } from './answered-4.ts';
import type {
  CallUpdatedEvent,
  MessageReactionEvent,
  MessageRevokedEvent,
  MessageVoteEvent,
  SessionQuotaEvent,
  SessionRestrictedEvent,
  SessionSilentEvent,
  SessionStatusEvent,
} from './answered-5.ts';
import type {
  ConversationAssignedEvent,
  ConversationLabelledEvent,
  ConversationReleasedEvent,
  SessionRecoveredEvent,
  SyncProgressEvent,
} from './answered-6.ts';
import type {
  AutomationStartedEvent,
  ContactErasedEvent,
  ContactMergedEvent,
  ContactUnmergedEvent,
  ContactUpdatedEvent,
  ConversationUpdatedEvent,
  GroupUpdatedEvent,
} from './answered-7.ts';
import type {
  AutomationCompletedEvent,
  AutomationFailedEvent,
  EndpointDisabledEvent,
  EndpointFailingEvent,
  EndpointRecoveredEvent,
  EndpointTestEvent,
} from './answered-8.ts';
import type { MessageEvent } from './answered.ts';

/** An event as it is posted to endpoints, told apart by `event`. */
export type AnyEvent =
  | MessageEvent
  | MessageAckEvent
  | MessageMediaEvent
  | MessageAnyEvent
  | MessageUpdatedEvent
  | MessageDeletedEvent
  | MessageEditedEvent
  | MessageRevokedEvent
  | MessageReactionEvent
  | MessageVoteEvent
  | CallUpdatedEvent
  | SessionStatusEvent
  | SessionRestrictedEvent
  | SessionQuotaEvent
  | SessionSilentEvent
  | SessionRecoveredEvent
  | SyncProgressEvent
  | ConversationAssignedEvent
  | ConversationReleasedEvent
  | ConversationLabelledEvent
  | ConversationUpdatedEvent
  | ContactUpdatedEvent
  | ContactMergedEvent
  | ContactUnmergedEvent
  | ContactErasedEvent
  | GroupUpdatedEvent
  | AutomationStartedEvent
  | AutomationCompletedEvent
  | AutomationFailedEvent
  | EndpointFailingEvent
  | EndpointDisabledEvent
  | EndpointRecoveredEvent
  | EndpointTestEvent;
