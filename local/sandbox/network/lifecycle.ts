import { randomBytes } from 'node:crypto';
import type { Status } from '../state/fact.ts';
import type { Session } from '../state/session.ts';
import type { SessionConfig } from '../state/session-settings.ts';
import { laterIn } from './core.ts';
import type { Core } from './core.ts';
import { DEFAULT_SCAN_AFTER_MS } from '../options.ts';
import { emit } from './emit.ts';
import type { StatusWaiters } from './status-waiters.ts';

/** A session shows a QR code for this long and this many times, and then fails, as in the real backend. */
const QR_SHOWN_MS = 30_000;
const QR_TIMES = 6;
/** Bounds the wait for a scanned session; no caller chooses a start delay nearly as long. */
const SCANNED_WITHIN_MS = 60_000;

/** Moves sessions from STOPPED over STARTING and SCAN_QR_CODE to WORKING, and interrupts them. */
export class Lifecycle {
  readonly #core: Core;
  readonly #waiters: StatusWaiters;
  /** The timer that each session waits for; stopping, logging out or forcing a status cancels it. */
  readonly #pending = new Map<string, () => void>();
  readonly #qrCodes = new Map<string, string>();
  /** False leaves a QR code to whoever scans it; what is shown already is not changed by it. */
  scansByItself: boolean;

  constructor(core: Core, waiters: StatusWaiters) {
    this.#core = core;
    this.#waiters = waiters;
    this.scansByItself = core.settings.autoScanAfterMs !== null;
  }

  save(name: string, config: SessionConfig): Session {
    this.#core.world.record({ kind: 'session.saved', session: name, config });
    return this.#session(name);
  }

  start(session: Session): void {
    if (['STARTING', 'SCAN_QR_CODE', 'WORKING'].includes(session.status)) return;
    this.#core.world.record({ kind: 'session.started', session: session.name });
    this.set(session, 'STARTING');
    this.#later(session, this.#core.settings.startDelayMs, (current) => {
      if (current.linked) this.set(current, 'WORKING');
      else this.#showQr(current, 1);
    });
  }

  stop(session: Session): void {
    this.#cancel(session.name);
    this.#core.webhooks.endSilence(session.name);
    if (session.status !== 'STOPPED') this.set(session, 'STOPPED');
  }

  restart(session: Session): void {
    this.stop(session);
    this.start(session);
  }

  /** Makes the phone forget this device. The configuration stays, and a session that ran shows a QR code again. */
  logout(session: Session): void {
    const ran = session.status !== 'STOPPED';
    this.stop(session);
    this.#core.world.record({ kind: 'session.unlinked', session: session.name });
    if (ran) this.start(session);
  }

  remove(session: Session): void {
    this.stop(session);
    this.#core.world.record({ kind: 'session.deleted', session: session.name });
  }

  /** Makes the backend forget the session without an event, as a killed backend does; the login stays on its disk. */
  lose(session: Session): void {
    this.#cancel(session.name);
    this.#core.world.record({ kind: 'session.lost', session: session.name });
    this.#waiters.changed(session.name);
  }

  /**
   * Scans the QR code with the simulated phone, and the session connects to the phone's account. Returns false when no
   * code is shown.
   */
  scan(session: Session): boolean {
    if (session.status !== 'SCAN_QR_CODE') return false;
    this.#link(session);
    this.set(session, 'STARTING');
    this.#later(session, this.#core.settings.startDelayMs, (current) => this.set(current, 'WORKING'));
    return true;
  }

  /** Scans the QR code and waits until the session works. */
  async scanned(session: Session): Promise<boolean> {
    if (!this.scan(session)) return false;
    return this.#waiters.until(session.name, () => session.status === 'WORKING', SCANNED_WITHIN_MS);
  }

  /** Adds, once, the history that the phone held before it was linked. */
  bringHistory(session: Session): void {
    if (session.hasHistory) return;
    const { seed } = this.#core.settings;
    this.#core.world.record({ kind: 'session.history', session: session.name, at: Date.now(), seed });
  }

  /** Puts a session into a status and leaves it there. */
  force(session: Session, status: Status): void {
    this.#cancel(session.name);
    if (status === 'WORKING') this.#link(session);
    if (status === 'SCAN_QR_CODE') this.#newQr(session);
    this.set(session, status);
  }

  /**
   * Continues a session after a restart of the sandbox: a session that worked works again and reports it, and a session
   * that was starting starts over.
   */
  resume(session: Session): void {
    this.#awaitHistory(session);
    if (session.status === 'WORKING') {
      this.set(session, 'WORKING');
    } else if (session.status === 'STARTING' || session.status === 'SCAN_QR_CODE') {
      this.restart(session);
    }
  }

  qrCode(session: Session): string {
    return this.#qrCodes.get(session.name) ?? this.#newQr(session);
  }

  set(session: Session, status: Status): void {
    // No two statuses have the same time, so that a receiver that gets them in another order can tell which is later.
    const at = Math.max(this.#core.clock.now(), (session.statuses.at(-1)?.timestamp ?? 0) + 1);
    this.#core.world.record({ kind: 'session.status', session: session.name, status, at });
    this.#core.settings.log({ msg: 'session status', session: session.name, status });
    const { name, statuses } = session;
    emit(this.#core, session, 'session.status', { name, status, statuses });
    this.#waiters.changed(name);
  }

  #showQr(session: Session, times: number): void {
    this.#newQr(session);
    this.set(session, 'SCAN_QR_CODE');
    if (this.scansByItself) {
      const afterMs = this.#core.settings.autoScanAfterMs ?? DEFAULT_SCAN_AFTER_MS;
      this.#later(session, afterMs, (current) => void this.scan(current));
      return;
    }
    this.#later(session, QR_SHOWN_MS, (current) => {
      if (times < QR_TIMES) this.#showQr(current, times + 1);
      else this.set(current, 'FAILED');
    });
  }

  #newQr(session: Session): string {
    const value = `2@sandbox-${randomBytes(24).toString('base64')},${session.name},simulation`;
    this.#qrCodes.set(session.name, value);
    return value;
  }

  #link(session: Session): void {
    if (session.linked) return;
    const { seed, historyDelayMs } = this.#core.settings;
    const history = historyDelayMs === 0;
    const at = this.#core.clock.now();
    this.#core.world.record({ kind: 'session.linked', session: session.name, at, seed, history });
    this.#awaitHistory(session);
  }

  #awaitHistory(session: Session): void {
    if (!session.account || session.hasHistory) return;
    laterIn(this.#core, session, this.#core.settings.historyDelayMs, () => this.bringHistory(session));
  }

  #later(session: Session, ms: number, act: (session: Session) => void): void {
    const { name } = session;
    this.#cancel(name);
    const cancel = this.#core.timers.after(ms, () => {
      this.#pending.delete(name);
      act(session);
    });
    this.#pending.set(name, cancel);
  }

  #cancel(name: string): void {
    this.#pending.get(name)?.();
    this.#pending.delete(name);
  }

  #session(name: string): Session {
    const session = this.#core.world.sessions.get(name);
    if (!session) throw new Error(`session ${name} was just saved and is not there`);
    return session;
  }
}
