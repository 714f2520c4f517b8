// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The account that is connected. */
export interface SessionDetails {
  /** The name that the account shows to others. */
  pushname: string | null;
  /** The backend's engine behind the session, such as `NOWEB`. */
  platform: string | null;
  /** The account's address on the network. */
  wid: {
    /** What stands behind the @, such as `c.us`. */
    server: string;
    /** The account's phone number, in digits. */
    user: string;
    /** Both, as the network writes them. */
    _serialized: string;
  };
}

/** A time in which messages of a session may have been lost, and what came of it. */
export interface Gap {
  /** The id of the gap. */
  id: string;
  /** The id of a session. */
  sessionId: string;
  /** Why messages may have been lost. */
  cause: 'engine_down' | 'session_down' | 'backend_restarted' | 'silence' | 'parked_events' | 'audit';
  /** When it began. */
  from: string;
  /** When it ended. Null while it lasts. */
  to: string | null;
  /** How far it is. */
  state: 'open' | 'comparing' | 'closed';
  /** What the messaging backend showed and was looked through. */
  compared: {
    /** How many chats were read. */
    chats: number;
    /** How many of their messages were compared. */
    messages: number;
    /** When chats were last compared. Null before. */
    at: string | null;
  };
  /** What was missed and is here now. */
  recovered: {
    /** How many messages of contacts were fetched; their events have `recovered`. */
    messages: number;
    /** How many messages of the own account were fetched, which were written on the phone. */
    own: number;
    /** How many messages turned out to have been deleted by their senders. */
    revoked: number;
    /** How many edits and reactions were found that nobody had told of. */
    changed: number;
  };
  /** What could not be compared, and why. Empty where nothing is left. */
  unknown: ('too_old' | 'too_many_chats' | 'chat_too_deep' | 'chat_unreadable' | 'chats_unlisted' | 'other_account')[];
  /** When it is compared next. Null while it lasts and once closed. */
  compareAt: string | null;
  /** When the engine noticed it. */
  openedAt: string;
  /** When it was closed. Null before. */
  closedAt: string | null;
}

/** What the account of a session shows of itself. */
export interface Profile {
  /** The session of the account. */
  sessionId: string;
  /** How the session is. */
  status:
    | 'STOPPED'
    | 'STARTING'
    | 'SCAN_QR_CODE'
    | 'PASSKEY_REQUIRED'
    | 'PASSKEY_CONFIRMATION_REQUIRED'
    | 'WORKING'
    | 'FAILED';
  /** The name that the account shows to others. */
  name: string | null;
  /** The account's about text. Null where it has none, and where the engine of the session cannot read it (`readAbout` of the capabilities). */
  about: string | null;
  /** Where the picture of the account is read, without a key; the address stays and shows the picture of the day. Null where there is none, and until it was fetched. */
  picture: string | null;
  /** The account's phone number, in digits. */
  phone: string | null;
  /** The account's own address on the network. */
  chatId: string | null;
}

/** The name was changed. */
export interface ProfileNameSet {
  /** It was changed. */
  success: true;
  /** The name as it is now. */
  name: string;
}

/** The about text was changed. */
export interface ProfileAboutSet {
  /** It was changed. */
  success: true;
  /** The about text as it is now. */
  about: string;
}

/** The picture was changed or deleted. */
export interface ProfilePictureSet {
  /** It was changed. */
  success: true;
}

/** A code that connects one phone. */
export interface PairingCode {
  /** The id of a session. */
  sessionId: string;
  /** What is typed on the phone, under Linked devices, "Link with phone number instead". */
  code: string;
  /** The number as it was understood, in digits. */
  phone: string;
}

/** A page that shows the QR code of one session, without a key. */
export interface ConnectLink {
  /** The id of a session. */
  sessionId: string;
  /** The address of the page, for the owner of the phone alone: whoever has it can connect an account. */
  url: string;
  /** The link and the page end then. */
  expiresAt: string;
}

/** What a session can. */
export interface SessionCapabilities {
  /** The id of a session. */
  sessionId: string;
  /** The backend's engine behind the session, such as `NOWEB`. */
  platform: string | null;
  /** The version of the backend. */
  version: string | null;
  /** By name. */
  capabilities: Record<string, Capability>;
}

/** Whether a session can do something. */
export interface Capability {
  /** True where the session can. */
  supported: boolean;
  /** What is done, or can be done, where the session cannot. Null where it can. */
  instead: string | null;
}

/** How far the past of a session's account has been read. */
export interface Sync {
  /** The id of a session. */
  sessionId: string;
  /** The session's name at the backend. */
  name: string;
  /** How the reading is. */
  state: 'never' | 'waiting' | 'running' | 'done' | 'stopped';
  /** Why the run that goes on, or the last one, has begun. */
  cause: 'first' | 'late' | 'connected' | 'scheduled' | 'reader' | 'asked' | null;
  /** When that run began. */
  startedAt: string | null;
  /** When it ended. Null while it goes on. */
  finishedAt: string | null;
  /** How many chats the run has found in the list of the backend. */
  chats: number;
  /** How many of them have still to be read. */
  chatsLeft: number;
  /** How many messages the run has read. */
  messages: number;
  /** How many of them were not here before. */
  imported: number;
  /** How many were said while the engine listened and had not come; they are told as `message`. */
  missed: number;
  /** How many messages it reads in a second, on the average. */
  messagesPerSecond: number;
  /** How many messages of the past all runs have brought in. */
  importedInAll: number;
  /** The bounds of the run. Null before the first one. */
  limits: {
    /** So many messages of a chat are read. */
    messagesPerChat: number;
    /** Once so many were brought in, only the newest messages of each chat are read. */
    messagesPerSession: number;
    /** What was said before is left out. Null leaves nothing out. */
    since: string | null;
  } | null;
  /** True where one of the limits has left something out: ask for more. */
  isBounded: boolean;
  /** The code of what keeps the run from going on. */
  error: string | null;
  /** When the next run comes by itself. Null while one goes on, and where none comes. */
  nextAt: string | null;
}

export interface SessionsListGapsAnswer {
  /** The gaps of this page, the newest first. */
  gaps: Gap[];
  /** True where more follow after these. */
  hasMore: boolean;
  /** Asks for the page after this one, as `cursor`. Null where this is the last. */
  nextCursor: string | null;
}
