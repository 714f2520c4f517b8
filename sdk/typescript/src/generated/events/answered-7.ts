// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { ErasedPayload, EventMetadata, LinkedPayload } from './answered.ts';

/** The network has shown two contacts to be one person: two of their addresses, such as a hidden id and its phone, belong together. */
export interface ContactMergedEvent {
  /** The type of the event. */
  event: 'contact.merged';
  /** What has happened; a link to it where it is too large, ids alone where it told of who was erased. */
  payload:
    | {
        /** The contact that stays. */
        contactId: string;
        /** The addresses that the network named as one person's. */
        chatIds: string[];
        /** When it was done, in Unix seconds. */
        timestamp: number;
        /** The contact that went. Its id leads to `contactId` from now on. Null where only conversations became one. */
        mergedFrom: string | null;
        /** What showed that they are one person. */
        cause: 'message' | 'number_check' | 'hidden_id_check';
        /** The conversations that changed, in all sessions of the tenant. */
        conversations: {
          /** The id of a conversation. */
          conversationId: string;
          /** The id of a session. */
          sessionId: string;
          /** The conversation that went into this one and whose id leads to it. Null where this one only belongs to another contact now. */
          mergedFrom: string | null;
        }[];
      }
    | LinkedPayload
    | ErasedPayload;
  /** Whose the event is, its id and its place. */
  metadata: EventMetadata;
}

/** Somebody has said that two contacts that were merged are not one person. */
export interface ContactUnmergedEvent {
  /** The type of the event. */
  event: 'contact.unmerged';
  /** What has happened; a link to it where it is too large, ids alone where it told of who was erased. */
  payload:
    | {
        /** The contact that stays. */
        contactId: string;
        /** The addresses that the network named as one person's. */
        chatIds: string[];
        /** When it was done, in Unix seconds. */
        timestamp: number;
        /** The contact that had gone and is there again. */
        partedFrom: string | null;
        /** The conversations that changed, in all sessions of the tenant. */
        conversations: {
          /** The id of a conversation. */
          conversationId: string;
          /** The id of a session. */
          sessionId: string;
          /** The conversation that had gone into this one and is there again. Null where this one only belongs to its former contact again. */
          partedFrom: string | null;
        }[];
      }
    | LinkedPayload
    | ErasedPayload;
  /** Whose the event is, its id and its place. */
  metadata: EventMetadata;
}

/** The data of a person was erased on request. Delete what you keep of the contact and of these conversations. Whoever writes from the same number later is a new contact. */
export interface ContactErasedEvent {
  /** The type of the event. */
  event: 'contact.erased';
  /** What has happened; a link to it where it is too large, ids alone where it told of who was erased. */
  payload:
    | {
        /** The contact who was erased. No contact has this id any more. */
        contactId: string;
        /** Contacts that were merged into it before, and are erased with it. */
        mergedFrom: string[];
        /** The conversations with the person, which are gone with all their messages. */
        conversationIds: string[];
        /** When it was done, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** Whose the event is, its id and its place. */
  metadata: EventMetadata;
}

/** The account has come into a group or left it, somebody else has, somebody has another role in it, or it has another name. The first reading of who is in a group is not told. */
export interface GroupUpdatedEvent {
  /** The type of the event. */
  event: 'group.updated';
  /** What has happened; a link to it where it is too large, ids alone where it told of who was erased. */
  payload:
    | {
        /** The id of a session. */
        sessionId: string;
        /** The id of a conversation. */
        conversationId: string;
        /** The network's name of the group. */
        chatId: string;
        /** The group's name. Null where it is not known. */
        name: string | null;
        /** What is other than before. */
        changed: ('joined' | 'left' | 'name' | 'participants')[];
        /** The others who have come or left, and whoever has another role. Empty where the account itself has just come: `GET /api/v1/conversations/{conversationId}/participants` lists who is there. */
        participants: {
          /** The address under which the network shows them in the group. */
          chatId: string;
          /** The digits of their phone. Null where it is not known. */
          phone: string | null;
          /** The contact, where the tenant has talked with them. */
          contactId: string | null;
          /** The contact's name. Null where none is known. */
          name: string | null;
          /** What they may do in the group, or might until they left. */
          role: 'participant' | 'admin' | 'superadmin';
          /** What is other than before. */
          change: 'joined' | 'left' | 'role';
        }[];
        /** When the engine learned it, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** Whose the event is, its id and its place. */
  metadata: EventMetadata;
}

/** A run of an automation has begun to work. */
export interface AutomationStartedEvent {
  /** The type of the event. */
  event: 'automation.started';
  /** What has happened; a link to it where it is too large, ids alone where it told of who was erased. */
  payload:
    | {
        /** The id of an execution. */
        executionId: string;
        /** The name of its automation. */
        automation: string;
        /** The account that it acts for. Null where it has none. */
        sessionId: string | null;
        /** Its conversation. Null where it has none. */
        conversationId: string | null;
        /** Its contact. Null where it has none. */
        contactId: string | null;
        /** When it was so, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** Whose the event is, its id and its place. */
  metadata: EventMetadata;
}

/** A run of an automation has come to its end, or was stopped: a person took over, or it was cancelled or switched off. */
export interface AutomationCompletedEvent {
  /** The type of the event. */
  event: 'automation.completed';
  /** What has happened; a link to it where it is too large, ids alone where it told of who was erased. */
  payload:
    | {
        /** The id of an execution. */
        executionId: string;
        /** The name of its automation. */
        automation: string;
        /** The account that it acts for. Null where it has none. */
        sessionId: string | null;
        /** Its conversation. Null where it has none. */
        conversationId: string | null;
        /** Its contact. Null where it has none. */
        contactId: string | null;
        /** Whether it has come to its end, or somebody or something has stopped it; `reason` says what. */
        status: 'completed' | 'cancelled';
        /** Why it failed or was cancelled. Null otherwise. */
        reason:
          | 'requested'
          | 'replaced'
          | 'switched_off'
          | 'stopped'
          | 'suspended'
          | 'taken_over'
          | 'opted_out'
          | 'conversation_gone'
          | 'unknown_definition'
          | 'code_failed'
          | 'label_unknown'
          | 'not_supported_by_engine'
          | 'session_not_ready'
          | 'backend_unavailable'
          | 'endpoint_unusable'
          | 'webhook_failed'
          | 'answer_unfit'
          | 'budget_spent'
          | 'model_failed'
          | 'step_failed'
          | 'too_many_running'
          | 'too_many_started'
          | 'lost'
          | null;
        /** When it was so, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** Whose the event is, its id and its place. */
  metadata: EventMetadata;
}

/** A run of an automation could not go on, or not begin because the agency had too many. */
export interface AutomationFailedEvent {
  /** The type of the event. */
  event: 'automation.failed';
  /** What has happened; a link to it where it is too large, ids alone where it told of who was erased. */
  payload:
    | {
        /** The id of an execution. */
        executionId: string;
        /** The name of its automation. */
        automation: string;
        /** The account that it acts for. Null where it has none. */
        sessionId: string | null;
        /** Its conversation. Null where it has none. */
        conversationId: string | null;
        /** Its contact. Null where it has none. */
        contactId: string | null;
        /** Why it failed or was cancelled. Null otherwise. */
        reason:
          | 'requested'
          | 'replaced'
          | 'switched_off'
          | 'stopped'
          | 'suspended'
          | 'taken_over'
          | 'opted_out'
          | 'conversation_gone'
          | 'unknown_definition'
          | 'code_failed'
          | 'label_unknown'
          | 'not_supported_by_engine'
          | 'session_not_ready'
          | 'backend_unavailable'
          | 'endpoint_unusable'
          | 'webhook_failed'
          | 'answer_unfit'
          | 'budget_spent'
          | 'model_failed'
          | 'step_failed'
          | 'too_many_running'
          | 'too_many_started'
          | 'lost'
          | null;
        /** When it was so, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** Whose the event is, its id and its place. */
  metadata: EventMetadata;
}
