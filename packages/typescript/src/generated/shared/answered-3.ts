// Made from openapi.json by `npm run client`: change the routes, not this file.

/** A poll with what is known of its votes. */
export interface PollOutput {
  /** The question. */
  name: string;
  /** The options in their order. */
  options: {
    /** The text of the option. */
    text: string;
    /** How many people have chosen it, as far as is known. */
    votes: number;
  }[];
  /** True if more than one option may be chosen. */
  multipleAnswers: boolean;
  /** The latest vote of each voter, up to the newest 100. */
  votes: {
    /** True if the account itself did it. */
    fromMe: boolean;
    /** The other person who did it: the digits of a phone number, otherwise a chat id. Null for the account, or if unknown. */
    from: string | null;
    /** The contact who voted. Null if that is not known. */
    contactId: string | null;
    /** The chosen options. Null if the backend could not read the vote. */
    options: string[] | null;
    /** When it was chosen. */
    at: string;
  }[];
  /** How many more people have voted than are listed; the counts of the options include them. Missing if all are listed. */
  moreVotes?: number;
}

/** A call that reached the account. */
export interface CallOutput {
  /** The status of the call. */
  status: 'received' | 'rejected' | 'accepted';
  /** True for a video call. */
  isVideo: boolean;
  /** True for a call to a group. */
  isGroup: boolean;
}

/** A line that the network itself put into a chat. */
export interface NoticeOutput {
  /** The subject of the notice. */
  type: 'group' | 'message_pinned' | 'call_log' | 'encryption' | 'system';
  /** The change in the group. Missing for other notices. */
  group?: {
    /** The change, as `group.updated` names it. */
    changed: string[];
    /** The group's name at that time. Null if it was not known. */
    name: string | null;
    /** The others who joined or left, or whose role changed. */
    participants: {
      /** The address under which the network shows them in the group. */
      chatId: string;
      /** The change, as `group.updated` names it. */
      change: string;
    }[];
  };
}

/** A label of the account, for sorting its chats. */
export interface LabelOutput {
  /** The network's id of a label. */
  id: string;
  /** Its name. Null if the network has not reported it. */
  name: string | null;
  /** The number of its colour. Null if the network reports none. */
  color: number | null;
  /** Its colour, such as `#64c4ff`. Null if the network reports none. */
  colorHex: string | null;
}

/** The data of a frame about an event. The frame's name (`event`) is the event type. */
export interface StreamedEvent {
  /** The id of an event. */
  id: string;
  /** The event type, as in `event` of the body. */
  type:
    | 'message'
    | 'message.ack'
    | 'message.media'
    | 'message.any'
    | 'message.updated'
    | 'message.deleted'
    | 'message.edited'
    | 'message.revoked'
    | 'message.reaction'
    | 'message.vote'
    | 'call.updated'
    | 'session.status'
    | 'session.restricted'
    | 'session.quota'
    | 'session.silent'
    | 'session.recovered'
    | 'sync.progress'
    | 'conversation.assigned'
    | 'conversation.released'
    | 'conversation.labelled'
    | 'conversation.updated'
    | 'contact.updated'
    | 'contact.merged'
    | 'contact.unmerged'
    | 'contact.erased'
    | 'group.updated'
    | 'automation.started'
    | 'automation.completed'
    | 'automation.failed'
    | 'endpoint.failing'
    | 'endpoint.disabled'
    | 'endpoint.recovered'
    | 'endpoint.test';
  /** The tenant that the event belongs to. Null for events about an endpoint. */
  tenantId: string | null;
  /** The session of the event. Null for events about an endpoint. */
  sessionId: string | null;
  /** The conversation of the event. Null if it has none. */
  conversationId: string | null;
  /** As in the event's `metadata`. */
  sequence: number;
  /** When the event was written. */
  createdAt: string;
  /** True if `test` made it, for one endpoint. */
  test: boolean;
}

/** The data of the frame `ready`: all earlier events have been sent. */
export interface StreamReady {
  /** The `id` of the frame. A pull can also continue from it. */
  cursor: string;
}

/** The data of the frame `hint`: notes about the contact have changed, or the list of people who have it open. */
export interface StreamHint {
  /** The conversation in which the team has changed something. */
  conversationId: string;
  /** The changed fields. */
  what: 'notes' | 'viewers';
}

/** The data of the last frame, `end`. */
export interface StreamEnd {
  /** Why the stream ends. */
  reason:
    | 'stopping'
    | 'unauthorized'
    | 'forbidden'
    | 'dashboard_suspended'
    | 'ended'
    | 'cursor_expired'
    | 'cursor_invalid'
    | 'internal';
}
