import type { Gap, SessionStatus } from '../../../typescript/src/index.ts';
import type { Tone } from '../../parts/tone.ts';
import { wordOf } from '../../parts/words/word-of.ts';
import { t } from '../../parts/words/t.ts';

/** The states of a session as a shop owner says them. */
export const STATES: Readonly<Record<SessionStatus['status'], { word: string; tone: Tone; text: string }>> = {
  STOPPED: {
    word: t('Stopped'),
    tone: 'quiet',
    text: t('The account is not running. Start it to send and receive messages.'),
  },
  STARTING: { word: t('Starting'), tone: 'info', text: t('The account is starting. This takes a few seconds.') },
  SCAN_QR_CODE: {
    word: t('Waiting for a scan'),
    tone: 'warn',
    text: t('Scan the code below with the phone, or enter a pairing code on the phone.'),
  },
  PASSKEY_REQUIRED: {
    word: t('Passkey required'),
    tone: 'warn',
    text: t('The phone asks for its passkey. Follow the steps on the phone.'),
  },
  PASSKEY_CONFIRMATION_REQUIRED: {
    word: t('Confirm on the phone'),
    tone: 'warn',
    text: t('Confirm the passkey on the phone.'),
  },
  WORKING: { word: t('Connected'), tone: 'good', text: t('The account sends and receives messages.') },
  FAILED: { word: t('Not connected'), tone: 'bad', text: t('The account was disconnected, or cannot start.') },
};

const ERRORS = {
  session_name_refused: t(
    'The messaging backend does not accept the name of this account. Connect the account again with a shorter name.',
  ),
  session_name_taken: t(
    'The messaging backend already has a session with this name that the engine did not create. The operator has to delete it there.',
  ),
  session_settings_refused: t(
    'The messaging backend does not accept the address of the engine. The operator has to correct PUBLIC_URL and restart the engine.',
  ),
  backend_not_configured: t(
    'The messaging backend of this account is no longer configured. The operator has to configure it again, or move the session.',
  ),
  session_restarts_used_up: t(
    'The engine restarted the account again and again for about a day without success. Start it when the cause is fixed, or log it out and scan a new code.',
  ),
  backend_unavailable: t('The messaging backend is unavailable. The engine retries, and messages wait.'),
  backend_error: t('The messaging backend reports an error. The engine retries, and messages wait.'),
};

export const whyNot = (lastError: string | null): string | null =>
  lastError === null
    ? null
    : Object.hasOwn(ERRORS, lastError)
      ? wordOf(ERRORS, lastError)
      : t('The messaging backend reports: {0}', lastError);

const REASONS = {
  start_asked: t('Someone started it.'),
  stop_asked: t('Someone stopped it.'),
  restart_asked: t('Someone restarted it.'),
  logout_asked: t('Someone logged it out.'),
  relogin_asked: t('Someone logged it out to scan a new code.'),
  delete_asked: t('Someone deleted it.'),
  recovery: t('The engine restarted it, because it had stopped or failed.'),
  silence: t('The engine restarted it, because it reported nothing although it seemed to work.'),
  lost_by_backend: t('The messaging backend had lost it, so the engine created it again.'),
  refused: t('The messaging backend does not accept it.'),
  code_shown: t('A QR code is ready to be scanned.'),
  code_scanned: t('The QR code was scanned.'),
  nobody_scanned: t('Nobody scanned the QR code in time.'),
  connection_lost: t('The connection to the network was lost. It is being restored.'),
  account_lost: t('The account was logged out on the phone, or banned.'),
  stopped_by_itself: t('It stopped without a request.'),
};

export const reasonText = (reason: string | null): string | undefined =>
  reason === null ? undefined : wordOf(REASONS, reason);

export const PENDING: Readonly<Record<NonNullable<SessionStatus['pending']>, string>> = {
  start: t('Start requested'),
  stop: t('Stop requested'),
  restart: t('Restart requested'),
  logout: t('Logout requested'),
  relogin: t('New code requested'),
  delete: t('Deletion requested'),
};

/** Why messages may have been lost. */
export const GAP_CAUSES: Readonly<Record<Gap['cause'], string>> = {
  engine_down: t('The engine was not running'),
  session_down: t('The account was not connected'),
  backend_restarted: t('The messaging backend was restarted'),
  silence: t('The account seemed connected, but reported nothing'),
  parked_events: t('A message could not be processed at first'),
  audit: t('A check found missing messages'),
};

export const GAP_STATES: Readonly<Record<Gap['state'], string>> = {
  open: t('Open'),
  comparing: t('Being checked'),
  closed: t('Closed'),
};

/** The gaps in a comparison, with their reasons. */
export const GAP_UNKNOWNS: Readonly<Record<Gap['unknown'][number], string>> = {
  too_old: t('Messages older than a week.'),
  too_many_chats: t('Conversations beyond the 500 newest.'),
  chat_too_deep: t('Messages beyond the 200 newest of a conversation.'),
  chat_unreadable: t('A conversation that the messaging backend did not show.'),
  chats_unlisted: t('All conversations: the messaging backend did not list them.'),
  other_account: t('Everything: another account was connected first.'),
};

const CAPABILITIES = {
  buttons: t('Buttons'),
  lists: t('Lists'),
  locations: t('Locations'),
  contactCards: t('Contact cards'),
  polls: t('Polls'),
  stickers: t('Stickers'),
  forwards: t('Forward messages'),
  reactions: t('Reactions'),
  edits: t('Edit sent messages'),
  revokes: t('Delete messages for everyone'),
  callerChosenIds: t('Message IDs chosen by the engine (a message is found again if its response is lost)'),
  labels: t('Labels'),
  block: t('Block people'),
  channels: t('Channels'),
  profileName: t('Change the profile name'),
  profileAbout: t('Change the about text'),
  readAbout: t('Read about texts'),
  profilePicture: t('Change the profile picture'),
  pairingCode: t('Pairing code instead of a QR code'),
};

export const capabilityName = (name: string): string => wordOf(CAPABILITIES, name);
