import type { Gap, SessionStatus } from '../../../typescript/src/index.ts';
import type { Tone } from '../../parts/tone.ts';
import { wordOf } from '../../parts/words/word-of.ts';

/** The states of a session as a shop owner says them. */
export const STATES: Readonly<Record<SessionStatus['status'], { word: string; tone: Tone; text: string }>> = {
  STOPPED: {
    word: 'Stopped',
    tone: 'quiet',
    text: 'The account is not running. Start it to send and receive messages.',
  },
  STARTING: { word: 'Starting', tone: 'info', text: 'The account is starting. This takes a few seconds.' },
  SCAN_QR_CODE: {
    word: 'Waiting for a scan',
    tone: 'warn',
    text: 'Scan the code below with the phone, or enter a pairing code on the phone.',
  },
  PASSKEY_REQUIRED: {
    word: 'Passkey required',
    tone: 'warn',
    text: 'The phone asks for its passkey. Follow the steps on the phone.',
  },
  PASSKEY_CONFIRMATION_REQUIRED: {
    word: 'Confirm on the phone',
    tone: 'warn',
    text: 'Confirm the passkey on the phone.',
  },
  WORKING: { word: 'Connected', tone: 'good', text: 'Messages are sent and received.' },
  FAILED: { word: 'Not connected', tone: 'bad', text: 'The account was disconnected, or cannot start.' },
};

const ERRORS = {
  session_name_refused:
    'The messaging backend does not accept the name of this account. Connect the account again with a shorter name.',
  session_name_taken:
    'The messaging backend already has a session with this name that the engine did not create. The operator has to delete it there.',
  session_settings_refused:
    'The messaging backend does not accept the address of the engine. The operator has to correct PUBLIC_URL and restart the engine.',
  backend_not_configured:
    'The messaging backend of this account is no longer configured. The operator has to configure it again, or move the session.',
  session_restarts_used_up:
    'The engine restarted the account again and again for about a day without success. Start it when the cause is fixed, or log it out and scan a new code.',
  backend_unavailable: 'The messaging backend cannot be reached. The engine keeps trying, and messages wait.',
  backend_error: 'The messaging backend reports an error. The engine keeps trying, and messages wait.',
};

export const whyNot = (lastError: string | null): string | null =>
  lastError === null
    ? null
    : Object.hasOwn(ERRORS, lastError)
      ? wordOf(ERRORS, lastError)
      : `The messaging backend reports: ${lastError}`;

const REASONS = {
  start_asked: 'Someone started it.',
  stop_asked: 'Someone stopped it.',
  restart_asked: 'Someone restarted it.',
  logout_asked: 'Someone logged it out.',
  relogin_asked: 'Someone logged it out to scan a new code.',
  delete_asked: 'Someone deleted it.',
  recovery: 'The engine restarted it, because it had stopped or failed.',
  silence: 'The engine restarted it, because it reported nothing although it seemed to work.',
  lost_by_backend: 'The messaging backend had lost it, so the engine created it again.',
  refused: 'The messaging backend does not accept it.',
  code_shown: 'A QR code is ready to be scanned.',
  code_scanned: 'The QR code was scanned.',
  nobody_scanned: 'Nobody scanned the QR code in time.',
  connection_lost: 'The connection to the network was lost. It is being restored.',
  account_lost: 'The account was logged out on the phone, or banned.',
  stopped_by_itself: 'It stopped although nobody had requested that.',
};

export const reasonText = (reason: string | null): string | undefined =>
  reason === null ? undefined : wordOf(REASONS, reason);

export const PENDING: Readonly<Record<NonNullable<SessionStatus['pending']>, string>> = {
  start: 'Start requested',
  stop: 'Stop requested',
  restart: 'Restart requested',
  logout: 'Logout requested',
  relogin: 'New code requested',
  delete: 'Deletion requested',
};

/** Why messages may have been lost. */
export const GAP_CAUSES: Readonly<Record<Gap['cause'], string>> = {
  engine_down: 'The engine was not running',
  session_down: 'The account was not connected',
  backend_restarted: 'The messaging backend was restarted',
  silence: 'The account seemed connected, but reported nothing',
  parked_events: 'A message could not be processed at first',
  audit: 'A check found missing messages',
};

export const GAP_STATES: Readonly<Record<Gap['state'], string>> = {
  open: 'Open',
  comparing: 'Being checked',
  closed: 'Closed',
};

/** What could not be compared, and why. */
export const GAP_UNKNOWNS: Readonly<Record<Gap['unknown'][number], string>> = {
  too_old: 'Messages older than a week.',
  too_many_chats: 'Conversations beyond the 500 newest.',
  chat_too_deep: 'Messages beyond the 200 newest of a conversation.',
  chat_unreadable: 'A conversation that the messaging backend did not show.',
  chats_unlisted: 'All conversations: the messaging backend did not list them.',
  other_account: 'Everything: another account was connected first.',
};

const CAPABILITIES = {
  buttons: 'Buttons',
  lists: 'Lists',
  locations: 'Locations',
  contactCards: 'Contact cards',
  polls: 'Polls',
  stickers: 'Stickers',
  forwards: 'Forward messages',
  reactions: 'Reactions',
  edits: 'Edit sent messages',
  revokes: 'Delete messages for everyone',
  callerChosenIds: 'Message ids chosen by the engine (it finds a message again if the response is lost)',
  labels: 'Labels',
  block: 'Block people',
  channels: 'Channels',
  profileName: 'Change the profile name',
  profileAbout: 'Change the about text',
  readAbout: 'Read about texts',
  profilePicture: 'Change the profile picture',
  pairingCode: 'Pairing code instead of a QR code',
};

export const capabilityName = (name: string): string => wordOf(CAPABILITIES, name);
