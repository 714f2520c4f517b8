// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { Label } from './answered-6.ts';
import type { ErasedPayload, EventMetadata, LinkedPayload } from './answered.ts';

/** A listed field of a conversation changed, such as its last message or unread count. Subscribe to it explicitly. */
export interface ConversationUpdatedEvent {
  /** The event type. */
  event: 'conversation.updated';
  /** The event's data. A link if it is too large; only ids if the person's data was erased. */
  payload:
    | {
        /** The name of the contact or the group. If none is known, the digits of the phone number or the chat id. */
        name: string;
        /** The address of the profile picture. A stored picture has a permanent address; the network's works for a few days. */
        picture: string | null;
        /** The newest message. Null if none is known. */
        lastMessage: {
          /** Its text; empty for a file without a caption. */
          body: string;
          /** When it was written, in Unix seconds. */
          timestamp: number;
          /** True if it was written from the account. */
          fromMe: boolean;
          /** Its id. Null if only its text is known. */
          messageId: string | null;
          /** The origin of the message. Null if only its text is known. */
          origin: 'api' | 'person' | 'ai' | 'phone' | 'history' | 'network' | 'passthrough' | 'automation' | null;
          /** The kind of the message. Missing if only its text is known. */
          kind?:
            | 'text'
            | 'image'
            | 'video'
            | 'audio'
            | 'document'
            | 'sticker'
            | 'location'
            | 'contact'
            | 'other'
            | 'poll'
            | 'call'
            | 'notice'
            | 'buttons'
            | 'list'
            | 'forward';
          /** Missing if the content is there. */
          contentState?: 'waiting' | 'missing';
        } | null;
        /** How many messages of the contact nobody has read or answered. Reading and answers by people or the agent lower it. */
        unreadCount: number;
        /** The id of a conversation. */
        conversationId: string;
        /** The network's name of the chat, such as `4915112345678@c.us`. */
        chatId: string;
        /** The contact of the conversation. Null for groups. */
        contactId: string | null;
        /** The id of a session. */
        sessionId: string;
        /** The side that answers. */
        mode: 'bot_active' | 'human_takeover';
        /** The `assignee` who has it. Null if nobody was named, or if the agent has it. */
        assignedTo: string | null;
        /** When someone last wrote in it, read it or took it over, or its name changed, by the clock of the engine. */
        updatedAt: string;
        /** The labels that the account has put on the chat. */
        labels: Label[];
        /** Increases by one each time the conversation changes hands. */
        epoch: number;
        /** Why a person has the conversation. Null if nobody gave a reason, or if the agent has it. */
        reason: string | null;
        /** When it returns to the agent, unless a person does something in it before then. */
        returnsAt: string | null;
        /** The conversation that this one was merged into, with its messages; from then on, no list shows this one. Null if it was not merged. */
        mergedInto: string | null;
        /** If two events are about the same thing, the one with the higher revision shows the later state, whichever arrives first. */
        revision: number;
        /** When this was the state, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** The event's owner, id and position. */
  metadata: EventMetadata;
}

/** A contact is new, or changed name, block, opt-out or picture. First readings and bulk changes are not reported. */
export interface ContactUpdatedEvent {
  /** The event type. */
  event: 'contact.updated';
  /** The event's data. A link if it is too large; only ids if the person's data was erased. */
  payload:
    | {
        /** The id of a session. */
        sessionId: string;
        /** The id of a contact. */
        contactId: string;
        /** The address at which messages reach the person: the phone number if it is known. */
        chatId: string;
        /** The phone number, in digits with its country code. Null if only a hidden id is known. */
        phone: string | null;
        /** The hidden id. Null if none is known. */
        lid: string | null;
        /** The name in the account's address book. Null if it has none. */
        name: string | null;
        /** The name that the person shows to others. Null until it is known. */
        pushName: string | null;
        /** Whether the account has blocked the person. */
        isBlocked: boolean;
        /** Whether the person wants no more messages. If true, only messages that a request marks as transactional are sent. */
        isOptedOut: boolean;
        /** Whether the person is in the account's address book. */
        isMyContact: boolean;
        /** Every address under which the network has shown the person: phones (`…@c.us`) and hidden ids (`…@lid`). */
        aliases: string[];
        /** The address of the person's picture, which needs no key. The address is permanent and shows the current picture. */
        picture: string | null;
        /** The changes: the names of fields above, `picture`, or `added` for a new contact. */
        changed: ('added' | 'name' | 'pushName' | 'isMyContact' | 'isBlocked' | 'isOptedOut' | 'picture')[];
        /** When the engine learned it, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** The event's owner, id and position. */
  metadata: EventMetadata;
}

/** The network showed that two contacts are one person: two of their addresses, such as a hidden id and its phone number, belong together. */
export interface ContactMergedEvent {
  /** The event type. */
  event: 'contact.merged';
  /** The event's data. A link if it is too large; only ids if the person's data was erased. */
  payload:
    | {
        /** The contact that stays. */
        contactId: string;
        /** The addresses that the network named as the same person's. */
        chatIds: string[];
        /** When it was done, in Unix seconds. */
        timestamp: number;
        /** The contact that was merged. From now on, its id leads to `contactId`. */
        mergedFrom: string | null;
        /** The evidence that they are one person. */
        cause: 'message' | 'number_check' | 'hidden_id_check';
        /** The conversations that changed, in all sessions of the tenant. */
        conversations: {
          /** The id of a conversation. */
          conversationId: string;
          /** The id of a session. */
          sessionId: string;
          /** The conversation that was merged into this one and whose id now leads to it. Null if this one only belongs to another contact now. */
          mergedFrom: string | null;
        }[];
      }
    | LinkedPayload
    | ErasedPayload;
  /** The event's owner, id and position. */
  metadata: EventMetadata;
}

/** A user separated two merged contacts. */
export interface ContactUnmergedEvent {
  /** The event type. */
  event: 'contact.unmerged';
  /** The event's data. A link if it is too large; only ids if the person's data was erased. */
  payload:
    | {
        /** The contact that stays. */
        contactId: string;
        /** The addresses that the network named as the same person's. */
        chatIds: string[];
        /** When it was done, in Unix seconds. */
        timestamp: number;
        /** The contact that had been merged and exists again. */
        partedFrom: string | null;
        /** The conversations that changed, in all sessions of the tenant. */
        conversations: {
          /** The id of a conversation. */
          conversationId: string;
          /** The id of a session. */
          sessionId: string;
          /** The conversation that had been merged into this one and exists again. Null if this one only belongs to its former contact again. */
          partedFrom: string | null;
        }[];
      }
    | LinkedPayload
    | ErasedPayload;
  /** The event's owner, id and position. */
  metadata: EventMetadata;
}

/** The data of a person was erased on request. Delete what you keep of the contact and of these conversations. */
export interface ContactErasedEvent {
  /** The event type. */
  event: 'contact.erased';
  /** The event's data. A link if it is too large; only ids if the person's data was erased. */
  payload:
    | {
        /** The contact who was erased. No contact has this id any more. */
        contactId: string;
        /** Contacts that were merged into it before and are erased with it. */
        mergedFrom: string[];
        /** The conversations with the person, which are deleted with all their messages. */
        conversationIds: string[];
        /** When it was done, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** The event's owner, id and position. */
  metadata: EventMetadata;
}

/** A member joined, left or got another role, or the group's name changed. The first reading of a group is not reported. */
export interface GroupUpdatedEvent {
  /** The event type. */
  event: 'group.updated';
  /** The event's data. A link if it is too large; only ids if the person's data was erased. */
  payload:
    | {
        /** The id of a session. */
        sessionId: string;
        /** The id of a conversation. */
        conversationId: string;
        /** The group's id on the network. */
        chatId: string;
        /** The group's name. Null if not known. */
        name: string | null;
        /** The changed fields. */
        changed: ('joined' | 'left' | 'name' | 'participants')[];
        /** The others who joined or left, and anyone who has a new role. Empty if the account itself has only now joined: `GET /api/v1/conversations/{conversationId}/participants` lists the members. */
        participants: {
          /** The address under which the network shows this person in the group. */
          chatId: string;
          /** The digits of their phone number. Null if not known. */
          phone: string | null;
          /** The contact, if the tenant has talked with them. */
          contactId: string | null;
          /** The contact's name. Null if not known. */
          name: string | null;
          /** Their role in the group, also after they left. */
          role: 'participant' | 'admin' | 'superadmin';
          /** The changed fields. */
          change: 'joined' | 'left' | 'role';
        }[];
        /** When the engine learned of it, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** The event's owner, id and position. */
  metadata: EventMetadata;
}

/** A run of an automation began to work. */
export interface AutomationStartedEvent {
  /** The event type. */
  event: 'automation.started';
  /** The event's data. A link if it is too large; only ids if the person's data was erased. */
  payload:
    | {
        /** The id of an execution. */
        executionId: string;
        /** The name of the automation. */
        automation: string;
        /** The account that it acts for. Null if it has none. */
        sessionId: string | null;
        /** Its conversation. Null if it has none. */
        conversationId: string | null;
        /** Its contact. Null if it has none. */
        contactId: string | null;
        /** When this happened, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** The event's owner, id and position. */
  metadata: EventMetadata;
}
