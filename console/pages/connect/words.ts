import type { SessionStatus } from '../../../sdk/typescript/src/index.ts';
import type { Tone } from '../../parts/tone.ts';

/** The states of a session as a shop owner says them. */
export const STATES: Readonly<Record<SessionStatus['status'], { word: string; tone: Tone; text: string }>> = {
  STOPPED: { word: 'Stopped', tone: 'quiet', text: 'It does not run. Start it to send and receive.' },
  STARTING: { word: 'Starting', tone: 'info', text: 'It is being started. This takes some seconds.' },
  SCAN_QR_CODE: {
    word: 'Waits for your phone',
    tone: 'warn',
    text: 'Scan the code below with the phone, or type a pairing code there.',
  },
  PASSKEY_REQUIRED: {
    word: 'Waits for a passkey',
    tone: 'warn',
    text: 'The phone asks for its passkey. Look at the phone.',
  },
  PASSKEY_CONFIRMATION_REQUIRED: {
    word: 'Confirm on the phone',
    tone: 'warn',
    text: 'The passkey waits to be confirmed on the phone.',
  },
  WORKING: { word: 'Connected', tone: 'good', text: 'Messages go out and come in.' },
  FAILED: { word: 'Not connected', tone: 'bad', text: 'It has lost its account, or cannot start.' },
};

const ERRORS: Readonly<Record<string, string>> = {
  session_name_refused: 'The messaging backend does not take its name. Connect another one with a shorter name.',
  session_name_taken:
    'The messaging backend has one of this name that was not made here. The operator has to delete it there.',
  session_settings_refused:
    'The messaging backend does not take the address of this engine. Its operator must set PUBLIC_URL right and start it again.',
  backend_not_configured:
    'The messaging backend that holds it is not configured any more. The operator puts it back, or moves the session.',
  session_restarts_used_up:
    'It was brought back again and again for about a day, and failed each time. Start it once the cause is gone, or log it out and scan a new code.',
  backend_unavailable: 'The messaging backend cannot be reached. It is tried again without end; messages wait.',
  backend_error: 'The messaging backend has an error. It is tried again without end; messages wait.',
};

export const whyNot = (lastError: string | null): string | null =>
  lastError === null ? null : (ERRORS[lastError] ?? `The messaging backend says: ${lastError}`);

const REASONS: Readonly<Record<string, string>> = {
  start_asked: 'Somebody started it.',
  stop_asked: 'Somebody stopped it.',
  restart_asked: 'Somebody restarted it.',
  logout_asked: 'Somebody logged it out.',
  relogin_asked: 'Somebody logged it out, so that another code is scanned.',
  delete_asked: 'Somebody deleted it.',
  recovery: 'The engine brings it back, because it had stopped or failed by itself.',
  silence: 'Nothing was heard of it, so the engine restarts it.',
  lost_by_backend: 'The messaging backend did not know it any more.',
  refused: 'The messaging backend refused it.',
  code_shown: 'A code is shown and waits to be scanned.',
  code_scanned: 'The code was scanned.',
  nobody_scanned: 'Nobody scanned the code in time.',
  connection_lost: 'The connection to the network was lost.',
  account_lost: 'The account was taken away, such as by logging out on the phone.',
  stopped_by_itself: 'It stopped by itself.',
};

export const reasonText = (reason: string | null): string | undefined =>
  reason === null ? undefined : (REASONS[reason] ?? reason);

export const PENDING: Readonly<Record<string, string>> = {
  start: 'is about to be started',
  stop: 'is about to be stopped',
  restart: 'is about to be restarted',
  logout: 'is about to be logged out',
  relogin: 'is about to ask for another code',
  delete: 'is about to be deleted',
};

const CAPABILITIES: Readonly<Record<string, string>> = {
  buttons: 'Buttons',
  lists: 'Lists to choose from',
  locations: 'Places',
  contactCards: 'Contact cards',
  polls: 'Polls',
  stickers: 'Stickers',
  forwards: 'Forwarding',
  reactions: 'Reactions',
  edits: 'Editing what was sent',
  revokes: 'Deleting for everyone',
  callerChosenIds: 'Ids chosen by the engine (a lost answer is found again at once)',
  labels: 'Labels',
  block: 'Blocking people',
  channels: 'Channels',
  profileName: 'Changing the name',
  profileAbout: 'Changing the about text',
  readAbout: 'Reading the about text',
  profilePicture: 'Changing the picture',
  pairingCode: 'Pairing code instead of a scan',
};

export const capabilityName = (name: string): string => CAPABILITIES[name] ?? name;
