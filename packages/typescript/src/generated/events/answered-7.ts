// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { Label } from './answered-6.ts';
import type { ErasedPayload, EventMetadata, LinkedPayload } from './answered.ts';

/** Something that the list of chats shows of a conversation changed: its last message, its unread count, who has it, its labels, its name. The event has the whole conversation as it is now; changes in quick succession are reported together. Written only if somebody asks for it. */
export interface ConversationUpdatedEvent {
  /** The event type. */
  event: 'conversation.updated';
  /** What happened. A link to it if it is too large; ids only if it was about a person whose data was erased. */
  payload:
    | {
        /** The name of the contact or the group. If none is known, the digits of the phone number or the chat id. */
        name: string;
        /** The address of the profile picture. If the engine has stored the picture, the address is permanent and needs no key; otherwise it is the network's, which works for a few days. Null if none is known. */
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
        /** How many messages of the contact nobody has read or answered. A reply through the inbox, an answer on the phone, opening the chat there, `POST /conversations/:id/read` and a sent answer of the AI agent lower it; what the API, a bot or an automation sends does not. */
        unreadCount: number;
        /** The id of a conversation. */
        conversationId: string;
        /** The network's name of the chat, such as `4915112345678@c.us`. */
        chatId: string;
        /** The contact of the conversation. Null for groups. */
        contactId: string | null;
        /** The id of a session. */
        sessionId: string;
        /** Who answers. */
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

/** Reading the contacts found a new person or another name, a person wrote under another name than before, somebody was blocked or unblocked, somebody opted out or in, or a picture changed. Not reported: the first reading of an account, dozens of new people at once, and a person who becomes known by their first message. */
export interface ContactUpdatedEvent {
  /** The event type. */
  event: 'contact.updated';
  /** What happened. A link to it if it is too large; ids only if it was about a person whose data was erased. */
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
        /** The address of the person's picture, which needs no key. The address is permanent and shows the current picture. Null until the picture is fetched, and for a person who shows none. */
        picture: string | null;
        /** What has changed: `added` if the account has got to know the person, `picture` if the person shows another picture, otherwise the names of fields above. */
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
  /** What happened. A link to it if it is too large; ids only if it was about a person whose data was erased. */
  payload:
    | {
        /** The contact that stays. */
        contactId: string;
        /** The addresses that the network named as the same person's. */
        chatIds: string[];
        /** When it was done, in Unix seconds. */
        timestamp: number;
        /** The contact that was merged. From now on, its id leads to `contactId`. Null if only conversations were merged. */
        mergedFrom: string | null;
        /** What showed that they are one person. */
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

/** Somebody said that two merged contacts are not one person. */
export interface ContactUnmergedEvent {
  /** The event type. */
  event: 'contact.unmerged';
  /** What happened. A link to it if it is too large; ids only if it was about a person whose data was erased. */
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

/** The data of a person was erased on request. Delete what you keep of the contact and of these conversations. Anyone who writes from the same number later is a new contact. */
export interface ContactErasedEvent {
  /** The event type. */
  event: 'contact.erased';
  /** What happened. A link to it if it is too large; ids only if it was about a person whose data was erased. */
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

/** The account or somebody else joined or left a group, somebody has a new role in it, or it has a new name. The first time that the engine reads a group's members is not reported. */
export interface GroupUpdatedEvent {
  /** The event type. */
  event: 'group.updated';
  /** What happened. A link to it if it is too large; ids only if it was about a person whose data was erased. */
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
        /** What changed. */
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
          /** What they may do in the group, or could do until they left. */
          role: 'participant' | 'admin' | 'superadmin';
          /** What changed. */
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
  /** What happened. A link to it if it is too large; ids only if it was about a person whose data was erased. */
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
