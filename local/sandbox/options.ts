import { VERSION } from './version.ts';

export const DEFAULT_SCAN_AFTER_MS = 1500;

/** The options of a sandbox. Every delay can be chosen, so that tests can make it short. */
export interface SandboxOptions {
  /** Default 127.0.0.1. */
  host?: string;
  /** 0 takes a free port. */
  port: number;
  /** The key every backend and control call must carry in X-Api-Key. */
  apiKey: string;
  /** The JSONL file that lets the state survive a kill; without it the state is in memory only. */
  journalPath?: string;
  /** Seeds the histories and the random faults; default 1. */
  seed?: number;
  /** The engine whose answer shapes are simulated; default NOWEB. */
  engine?: 'NOWEB' | 'GOWS' | 'WEBJS';
  /** The release of the backend that is played, such as 2026.8.1; default the one whose contract is followed. */
  version?: string;
  /** The pause between the server, device and read acks; default 150. */
  ackDelayMs?: number;
  /** The pause before a simulated contact answers; default 300. */
  replyDelayMs?: number;
  /**
   * True lets a message to another session's number arrive at that session; default false, with which every recipient
   * is simulated.
   */
  relay?: boolean;
  /**
   * The pause before the simulated phone scans a QR code; default 1500. With null it does not scan until the control API
   * switches that on.
   */
  autoScanAfterMs?: number | null;
  /** The time that a start takes before the QR code (or WORKING) appears; default 50. */
  startDelayMs?: number;
  /**
   * The pause between the link and the appearance of the phone's history, which no event reports; default two minutes;
   * with 0 the history comes with the link.
   */
  historyDelayMs?: number;
  /** The time that the first list of a session's groups takes; default 5000. */
  groupsDelayMs?: number;
  /**
   * The time for which a call on a session that is not WORKING blocks before its 422; default 5000, as in the real
   * backend.
   */
  sessionBlockMs?: number;
  /** Receives one object per noteworthy event; default silence. */
  log?: (line: object) => void;
}

/** The options with every default filled in. */
export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly apiKey: string;
  readonly journalPath: string | undefined;
  readonly seed: number;
  readonly engine: 'NOWEB' | 'GOWS' | 'WEBJS';
  readonly version: string;
  readonly ackDelayMs: number;
  readonly replyDelayMs: number;
  readonly relay: boolean;
  readonly autoScanAfterMs: number | null;
  readonly startDelayMs: number;
  readonly historyDelayMs: number;
  readonly groupsDelayMs: number;
  readonly sessionBlockMs: number;
  readonly log: (line: object) => void;
}

export function withDefaults(options: SandboxOptions): Settings {
  return {
    host: options.host ?? '127.0.0.1',
    port: options.port,
    apiKey: options.apiKey,
    journalPath: options.journalPath,
    seed: options.seed ?? 1,
    engine: options.engine ?? 'NOWEB',
    version: options.version ?? VERSION,
    ackDelayMs: options.ackDelayMs ?? 150,
    replyDelayMs: options.replyDelayMs ?? 300,
    relay: options.relay ?? false,
    autoScanAfterMs: options.autoScanAfterMs === undefined ? DEFAULT_SCAN_AFTER_MS : options.autoScanAfterMs,
    startDelayMs: options.startDelayMs ?? 50,
    historyDelayMs: options.historyDelayMs ?? 120_000,
    groupsDelayMs: options.groupsDelayMs ?? 5000,
    sessionBlockMs: options.sessionBlockMs ?? 5000,
    log: options.log ?? (() => undefined),
  };
}
