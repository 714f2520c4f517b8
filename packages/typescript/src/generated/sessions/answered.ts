// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The session, and the keys that may set its agent. */
export interface SessionCreated {
  /** The status of the session. */
  status:
    | 'STOPPED'
    | 'STARTING'
    | 'SCAN_QR_CODE'
    | 'PASSKEY_REQUIRED'
    | 'PASSKEY_CONFIRMATION_REQUIRED'
    | 'WORKING'
    | 'FAILED';
  /** The account's phone number, in digits. Null before an account is connected. */
  phone: string | null;
  /** The name that the account shows to others. */
  accountName: string | null;
  /** The backend's engine behind the session: `NOWEB`, `GOWS` or `WEBJS`. Null until it has started. */
  platform: string | null;
  /** The id of a session. */
  id: string;
  /** The session's name at the backend. */
  name: string;
  /** The messaging backend that holds it: `default`, unless the operator runs several. */
  backend: string;
  /** The agency of its tenant. */
  agencyId: string;
  /** The tenant that it belongs to. */
  tenantId: string;
  /** True if the tenant uses it when a request names no session. */
  default: boolean;
  /** The requested state. */
  wanted: 'running' | 'stopped' | 'logged_out' | 'deleted';
  /** A requested action that is not done yet: sends in progress end first, and an unavailable backend is waited for. Until then nothing else is sent, unless the session is only to be started. */
  pending: 'start' | 'stop' | 'restart' | 'logout' | 'relogin' | 'delete' | null;
  /** Since when it has this status. */
  statusChangedAt: string;
  /** Since when nothing was heard of a session that reports that it works and should have reported something. The engine fetches what it has missed and restarts the session. */
  silentSince: string | null;
  /** Why the session is not connected, kept until it works. The value shows whether to create, fix, start or log out the session. */
  lastError: string | null;
  /** Keys of the tenant's other sessions that may set the agent of this one, too. Present from the second session on. */
  aiAdminKeys?: {
    /** The id of an API key. */
    id: string;
    /** The name of the key. */
    name: string;
    /** The id of a session. */
    sessionId: string;
  }[];
}

/** The account that is connected. */
export interface SessionDetails {
  /** The name that the account shows to others. */
  pushname: string | null;
  /** The backend's engine behind the session, such as `NOWEB`. */
  platform: string | null;
  /** The account's address on the network. */
  wid: {
    /** The part after the @, such as `c.us`. */
    server: string;
    /** The account's phone number, in digits. */
    user: string;
    /** The two parts together, as the network writes them. */
    _serialized: string;
  };
}

/** A period in which messages of a session may have been lost, and the result of the comparison. */
export interface Gap {
  /** The id of the gap. */
  id: string;
  /** The id of a session. */
  sessionId: string;
  /** Why messages may have been lost. */
  cause: 'engine_down' | 'session_down' | 'backend_restarted' | 'silence' | 'parked_events' | 'audit';
  /** When it began. */
  from: string;
  /** When it ended. Null until then. */
  to: string | null;
  /** The state of the gap. */
  state: 'open' | 'comparing' | 'closed';
  /** The data that the engine compared with the messaging backend. */
  compared: {
    /** How many chats were read. */
    chats: number;
    /** How many of their messages were compared. */
    messages: number;
    /** When chats were last compared. Null until then. */
    at: string | null;
  };
  /** Missed messages that were fetched. */
  recovered: {
    /** How many messages of contacts were fetched; their events have `recovered`. */
    messages: number;
    /** How many messages of the account itself were fetched, which were written on the phone. */
    own: number;
    /** How many messages turned out to have been deleted by their senders. */
    revoked: number;
    /** How many unreported edits and reactions were found. */
    changed: number;
  };
  /** Data that could not be compared, with the reason. Empty if all was compared. */
  unknown: ('too_old' | 'too_many_chats' | 'chat_too_deep' | 'chat_unreadable' | 'chats_unlisted' | 'other_account')[];
  /** When it is compared next. Null while it is in progress and once closed. */
  compareAt: string | null;
  /** When the engine noticed it. */
  openedAt: string;
  /** When it was closed. Null until then. */
  closedAt: string | null;
}

/** The public profile of a session's account. */
export interface Profile {
  /** The session of the account. */
  sessionId: string;
  /** The status of the session. */
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
  /** The account's about text. Null if it has none, and if the engine of the session cannot read it (`readAbout` of the capabilities). */
  about: string | null;
  /** The address of the account's picture, which needs no key. The address is permanent and shows the current picture. */
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
  /** The code to type on the phone, under Linked devices, "Link with phone number instead". */
  code: string;
  /** The number as it was understood, in digits. */
  phone: string;
}

/** A page that shows the QR code of one session, without a key. */
export interface ConnectLink {
  /** The id of a session. */
  sessionId: string;
  /** The address of the page. Give it only to the owner of the phone: anyone who has it can connect an account. */
  url: string;
  /** When the link and the page stop working. */
  expiresAt: string;
}

/** A connect link that works, without its address. */
export interface ConnectLinkView {
  /** The id of a session. */
  sessionId: string;
  /** The id of the key or console link that created it, with which it ends; `master` for the master key. Null if an earlier release created it. */
  madeBy: string | null;
  /** The id of the console login that created it, with which it ends. Null if no login did. */
  loginId: string | null;
  /** When it was created. */
  createdAt: string;
  /** When the link and the page stop working. */
  expiresAt: string;
  /** When a browser opened it. Null before that. */
  openedAt: string | null;
  /** When it connected an account. Null before that. */
  connectedAt: string | null;
}

/** The capabilities of a session. */
export interface SessionCapabilities {
  /** The id of a session. */
  sessionId: string;
  /** The backend's engine behind the session, such as `NOWEB`. */
  platform: string | null;
  /** The version of the backend. */
  version: string | null;
  /** The capabilities, by name. */
  capabilities: Record<string, Capability>;
}

/** Whether a session can do something. */
export interface Capability {
  /** True if the session can do it. */
  supported: boolean;
  /** The alternative if the session cannot do it. Null if it can. */
  instead: string | null;
}

/** How far the history of a session's account has been read. */
export interface Sync {
  /** The id of a session. */
  sessionId: string;
  /** The session's name at the backend. */
  name: string;
  /** The status of the reading. */
  state: 'never' | 'waiting' | 'running' | 'done' | 'stopped';
  /** Why the run in progress, or the last one, began. */
  cause: 'first' | 'late' | 'connected' | 'scheduled' | 'reader' | 'asked' | null;
  /** When that run began. */
  startedAt: string | null;
  /** When it ended. Null while it is in progress. */
  finishedAt: string | null;
  /** How many chats the run has found in the list of the backend. */
  chats: number;
  /** How many of them still have to be read. */
  chatsLeft: number;
  /** How many messages the run has read. */
  messages: number;
  /** How many of them were new to the engine. */
  imported: number;
  /** How many were written while the engine listened and had not arrived; they are reported as `message`. */
  missed: number;
  /** How many messages it reads per second, on average. */
  messagesPerSecond: number;
  /** How many messages of the history all runs have brought in. */
  importedInAll: number;
  /** The limits of the run. Null before the first one. */
  limits: {
    /** How many messages of each chat are read. */
    messagesPerChat: number;
    /** Once this many messages were brought in, only the newest messages of each chat are read. */
    messagesPerSession: number;
    /** Messages from before this time are omitted. Null omits nothing. */
    since: string | null;
  } | null;
  /** True if one of the limits has left something out: request more. */
  isBounded: boolean;
  /** The code of the error that prevents the run from continuing. */
  error: string | null;
  /** When the next run starts automatically. Null while one is in progress or about to begin, and if none is planned. */
  nextAt: string | null;
}

export interface SessionsListGapsAnswer {
  /** The gaps of this page, the newest first. */
  gaps: Gap[];
  /** True if more rows follow. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}

export interface SessionsGetConnectLinkAnswer {
  /** Null if no link works. */
  link: ConnectLinkView | null;
}
