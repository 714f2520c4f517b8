import { FAILED, SCAN_QR_CODE, STARTING, WORKING } from './session.ts';
import { SESSION_ACTS } from './wish.ts';
import type { SessionAct } from './wish.ts';

/** The supervisor has brought the session back. */
export const RECOVERY = 'recovery';
export const DEEDS = [...SESSION_ACTS, RECOVERY] as const;
export type Deed = SessionAct | typeof RECOVERY;

/** Why a session has another status, as its event says. */
export const CHANGE_REASON_TEXTS = {
  start_asked: 'Someone requested a start.',
  stop_asked: 'Someone requested a stop.',
  restart_asked: 'Someone requested a restart.',
  logout_asked: 'Someone requested a logout.',
  relogin_asked: 'Someone logged it out, so that another code can be scanned.',
  delete_asked: 'Someone deleted it.',
  recovery: 'The engine restores it, because it stopped or failed by itself.',
  silence: 'The engine restarts it, because it reported that it works but reported no events (`session.silent`).',
  lost_by_backend: 'The backend had lost it, and the engine created it again.',
  refused: 'It cannot exist at its backend: `lastError` says why.',
  code_shown: 'It waits for its QR code to be scanned.',
  code_scanned: 'Its QR code was scanned.',
  nobody_scanned: 'Nobody scanned its QR code in time. The engine restores it.',
  connection_lost: 'Its connection to the network broke, and the backend reconnects it.',
  account_lost: 'It was connected and can no longer connect: it was logged out on the phone, or banned.',
  stopped_by_itself: 'The backend stopped it, although nobody had requested that. The engine restores it.',
} as const;
export type ChangeReason = keyof typeof CHANGE_REASON_TEXTS;

/** For this long after the engine has done something to a session, its statuses follow from that. */
const FOLLOWS_FROM_DEED_MS = 60_000;

export interface StatusChange {
  previous: string;
  status: string;
  /** The engine's last action on the session at the backend, with its time. */
  deed: {
    deed: Deed;
    at: Date;
    /** The engine has asked for the restart by itself. */
    isForSilence?: boolean;
  } | null;
}

/** Says why a session has another status; null where nothing in particular has happened. */
export function reasonOfChange({ previous, status, deed }: StatusChange, now: Date): ChangeReason | null {
  if (status === SCAN_QR_CODE && !isRecent(deed, now)) return 'code_shown';
  if (previous === SCAN_QR_CODE && status === WORKING) return 'code_scanned';
  if (deed !== null && isRecent(deed, now) && status !== FAILED) {
    if (deed.deed === 'restart' && deed.isForSilence === true) return 'silence';
    return deed.deed === RECOVERY ? RECOVERY : `${deed.deed}_asked`;
  }
  if (status === FAILED) return previous === SCAN_QR_CODE ? 'nobody_scanned' : 'account_lost';
  if (previous === SCAN_QR_CODE && status === STARTING) return 'code_scanned';
  if (previous === WORKING && status === STARTING) return 'connection_lost';
  return status === 'STOPPED' ? 'stopped_by_itself' : null;
}

function isRecent(deed: StatusChange['deed'], now: Date): boolean {
  return deed !== null && now.getTime() - deed.at.getTime() < FOLLOWS_FROM_DEED_MS;
}
