import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../db/engine/database.ts';
import { claimDispatches, finishDispatches, HELD_BY_ROLL_OUT } from '../db/dispatch.ts';
import type { Dispatch, DispatchResults } from '../db/dispatch.ts';
import type { FindPhone } from '../db/network/hidden-id.ts';
import { findMessageById } from '../db/conversations/message.ts';
import { listSlow } from '../db/sending/before-send.ts';
import { hasEnded } from '../domain/sending/message-state.ts';
import { NEW_WORKFLOWS } from '../domain/workflows.ts';
import type { SearchAttribute } from '../domain/workflows.ts';
import { parseWorkflowId } from '../domain/names.ts';
import { inDispatchSpan, measureLag, measureResults, tracesOf } from './dispatch-telemetry.ts';
import { OwedSweep } from './owed-sweep.ts';
import { PhoneSweep } from './phone-sweep.ts';
import { BatchSize } from './batch-size.ts';
import { BatchTurns } from './batch-turns.ts';
import { Releaser } from './releaser.ts';
import { SharedPoll } from './shared-poll.ts';
import { FormerProcesses } from './former-processes.ts';
import { isPersonsSend, sendDispatch, unreachableBy } from './dispatch/send-dispatch.ts';
import type { DispatchOutcome, SendOptions } from './dispatch/send-dispatch.ts';
import { answerOfEach, inSlices, sliceUp } from './dispatch/slices.ts';
import type { HandOver } from './dispatch/slices.ts';
import { TemporalReach } from './dispatch/temporal-reach.ts';
import { endIfStuck } from './dispatch/stuck-execution.ts';
import type { Log } from '../domain/log.ts';

export interface DispatcherOptions extends Omit<SendOptions, 'attributes' | 'reach' | 'underWay'> {
  database: Database;
  /** Answers which search attributes the namespace has; called once Temporal answers. */
  attributes: () => Promise<ReadonlySet<SearchAttribute>>;
  /** Resolves when Temporal answers; must fail at once when nothing listens, and else within the time. */
  probe: (withinMs: number) => Promise<void>;
  /** Asks the network which phone number a hidden id belongs to. */
  findPhone: FindPhone;
  /** Called when Temporal answers again after it could not be reached. */
  onTemporalBack?: () => void;
  log: Pick<Log, 'warn' | 'error'>;
}

/** While a batch is handed over, which takes as long as its slowest call, what comes meanwhile goes with the next. */
const BATCHES_AT_ONCE = 3;
/** Longer than the longest deadline of a call (`loops/dispatch/temporal-reach.ts`). */
const LEASE_MS = 30_000;
/** The poll finds rows that their own process does not hand over, and rows whose pause has ended. */
const POLL_MS = 1_000;
const PROBE_EVERY_MS = 500;
/** A stop takes no longer, whatever does not answer. */
const STOP_WITHIN_MS = 5_000;
/** After the last call of a stop its outcomes are written. */
const RECORD_MS = 1_000;
const MAX_RETRY_DELAY_MS = 30_000;
/**
 * After this many promises that did not move the row, the dispatcher looks at the execution, which may count as running
 * for ever.
 */
const PROMISES_IN_VAIN = 3;

/** Hands the promises of the dispatch table to Temporal. One dispatcher runs in every api and worker process. */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #stop = new AbortController();
  readonly #releaser: Releaser;
  readonly #phoneSweep: PhoneSweep;
  readonly #owedSweep: OwedSweep;
  readonly #poll: SharedPoll;
  readonly #formerProcesses: FormerProcesses;
  #running: Promise<unknown> = Promise.resolve();
  #poked = false;
  /** True until a look has found less than a batch, so that the next look need not wait for a wake-up. */
  #hasMore = true;
  /** One round at a time looks for dispatches or rests. */
  readonly #turns = new BatchTurns();
  #interrupt = new AbortController();
  /** Ends the serving of wake-ups; undefined while Temporal is down, so that wake-ups reach other processes. */
  #leave: (() => void) | undefined;
  readonly #underWay = new Set<() => void>();
  readonly #reach = new TemporalReach({ onOutage: () => this.#beginOutage() });
  readonly #batchSize = new BatchSize();
  /** The outage that was logged, until its end is. */
  #isOutageLogged = false;
  #attributes: ReadonlySet<SearchAttribute> | undefined;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#releaser = new Releaser(options.database, (error, sessionId) =>
      options.log.warn({ err: error, sessionId }, 'a release failed; the engine retries it'),
    );
    this.#phoneSweep = new PhoneSweep(options.database, options.findPhone, options.log);
    this.#owedSweep = new OwedSweep(options.database, options.log);
    this.#poll = new SharedPoll(options.database.wakeups, 'dispatch', POLL_MS);
    this.#formerProcesses = new FormerProcesses(options.database);
  }

  /** True while the breaker is open: during an outage of Temporal, not while it is merely slow. */
  get temporalDown(): boolean {
    return this.#reach.isDown;
  }

  start(): void {
    const offs = [this.#releaser, this.#phoneSweep, this.#owedSweep, this.#poll].map((part) => part.listen());
    this.#stop.signal.addEventListener('abort', () => {
      offs.forEach((off) => off());
      this.#leave?.();
      this.#reach.stop();
    });
    this.#running = Promise.all([
      ...Array.from({ length: BATCHES_AT_ONCE }, () => this.#loop(() => this.#dispatchRound())),
      this.#loop(() => this.#releaser.round(this.#stop.signal)),
      this.#loop(() => this.#phoneSweep.round(this.#stop.signal)),
      this.#loop(() => this.#owedSweep.round(this.#stop.signal)),
    ]);
  }

  /**
   * Ends after the current batches, or a few seconds later when Temporal does not answer. Dispatches that were not
   * handed over stay in the table.
   */
  async stop(): Promise<void> {
    this.#stop.abort();
    const timer = setTimeout(() => this.#underWay.forEach((giveUp) => giveUp()), STOP_WITHIN_MS - RECORD_MS);
    await Promise.race([this.#running, pause(STOP_WITHIN_MS, undefined, { ref: false })]);
    clearTimeout(timer);
  }

  async #loop(round: () => Promise<void>): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        await round();
      } catch (error) {
        this.#options.log.warn({ err: error }, 'a dispatcher round failed; the engine retries it');
        await this.#options.database.wakeups.wait('dispatch', 'never', POLL_MS, this.#stop.signal);
      }
    }
  }

  async #dispatchRound(): Promise<void> {
    const hasHandedOver = await this.#turns.round(async () => {
      const lookedAt = await this.#look();
      if (!lookedAt) return undefined;
      const { batch, token, options } = lookedAt;
      return { size: batch.length, isFull: this.#hasMore, handOver: () => this.#handOver(batch, token, options) };
    });
    if (!hasHandedOver) return;
    // Somebody else rests now, and would not notice.
    if (this.#poked || this.#mustAsk) this.#interrupt.abort();
  }

  /** Nothing more is handed over until Temporal has answered. */
  get #mustAsk(): boolean {
    return this.#reach.isDoubtful || !this.#attributes;
  }

  /** Leases a batch, after a rest if the last look has left nothing. Undefined when there is none. */
  async #look(): Promise<{ batch: Dispatch[]; token: string; options: SendOptions } | undefined> {
    const { database } = this.#options;
    if (!this.#hasMore) await this.#rest();
    this.#hasMore = true;
    if (this.#stop.signal.aborted) return undefined;
    const { isDown } = this.#reach;
    if (this.#mustAsk || (this.#isOutageLogged && !isDown) || !this.#attributes) {
      await this.#waitForTemporal();
      return undefined;
    }
    if (!isDown) this.#leave ??= this.#serve();
    else if (this.#underWay.size > 0) {
      // The trial of the other loop is enough.
      await database.wakeups.wait('dispatch', 'never', PROBE_EVERY_MS, this.#stop.signal);
      return undefined;
    }
    const options = { ...this.#options, attributes: this.#attributes, reach: this.#reach, underWay: this.#underWay };
    this.#poked = false;
    const token = randomUUID();
    // While probes are answered and calls are not, one call tries whether that is over.
    const size = isDown ? 1 : this.#turns.sizeOf(this.#batchSize.size);
    const claim = { token, size, leaseMs: LEASE_MS, isTrial: isDown };
    const batch = await database.statement((tx) => claimDispatches(tx, claim));
    measureLag(batch);
    this.#hasMore = batch.length === size;
    if (this.#hasMore) database.wakeups.tellOthers('dispatch');
    else this.#poll.looked();
    return batch.length === 0 ? undefined : { batch, token, options };
  }

  /**
   * Keeps wake-ups of this process in it. Other processes would look at the same rows, so they are woken only when
   * there is more than this one takes at once.
   */
  #serve(): () => void {
    return this.#options.database.wakeups.serve('dispatch', () => {
      this.#poked = true;
    });
  }

  async #rest(): Promise<void> {
    const { wakeups } = this.#options.database;
    this.#interrupt = new AbortController();
    const ends = AbortSignal.any([this.#stop.signal, this.#interrupt.signal]);
    while (!this.#poked && !this.#reach.isDoubtful && !ends.aborted) {
      const restMs = this.#poll.restMs();
      if (restMs === 0) return;
      await wakeups.wait('dispatch', '', restMs, ends);
    }
  }

  async #handOver(batch: Dispatch[], token: string, options: SendOptions): Promise<void> {
    const sent = new Map<string, Promise<DispatchOutcome>>();
    const { known, held } = await this.#partedByRelease(batch);
    const results: DispatchResults = { done: [], parked: [], retry: held };
    const handOvers = await this.#handOversOf(known);
    const peopleApart = known.some(isPersonsSend) && !(await this.#formerProcesses.areConnected());
    const traces = await tracesOf(this.#options.database, handOvers);
    const since = performance.now();
    await Promise.all(
      handOvers.map(async ({ call, dispatches }) => {
        // All rows that ask for the same call to a workflow share one call, because hints coalesce.
        const same = `${call.action} ${call.workflowId} ${call.signal} ${JSON.stringify(call.signalArgs)}`;
        const answer = sent.get(same) ?? this.#send(call, { ...options, peopleApart }, traces.get(call.workflowId));
        sent.set(same, answer);
        for (const dispatch of dispatches) await this.#sort(dispatch, answerOfEach(await answer, dispatches), results);
      }),
    );
    this.#batchSize.ended(performance.now() - since);
    await this.#options.database.statement((tx) => finishDispatches(tx, token, results));
    measureResults(results);
    if (results.retry.some(({ delayMs }) => delayMs === 0)) this.#poked = true;
  }

  /** Holds workflows back that a worker of the release before would fail, for as long as one of its processes is there. */
  async #partedByRelease(batch: Dispatch[]): Promise<{ known: Dispatch[]; held: DispatchResults['retry'] }> {
    const isNew = ({ workflowType }: Dispatch): boolean => NEW_WORKFLOWS.includes(workflowType);
    if (!batch.some(isNew) || !(await this.#formerProcesses.areConnected())) return { known: batch, held: [] };
    const held = batch.filter(isNew).map(({ id }) => ({ id, error: HELD_BY_ROLL_OUT, delayMs: MAX_RETRY_DELAY_MS }));
    return { known: batch.filter((dispatch) => !isNew(dispatch)), held };
  }

  /** A worker of the release before slices would fail the slice's workflow, so while one is there each goes alone. */
  async #handOversOf(batch: Dispatch[]): Promise<HandOver[]> {
    const together = inSlices(batch);
    const goAlone = new Set(together);
    if (together.length > 0 && !(await this.#formerProcesses.areConnected())) {
      try {
        const slow = await this.#options.database.read((queries) => listSlow(queries, together));
        return sliceUp(batch, new Set(slow));
      } catch (error) {
        // The batch is leased, and goes all the same.
        this.#options.log.warn({ err: error }, 'due messages go one by one, because the check for a slice failed');
      }
    }
    return sliceUp(batch, goAlone);
  }

  async #send(dispatch: Dispatch, options: SendOptions, parent: string | undefined): Promise<DispatchOutcome> {
    if (dispatch.timesPromised >= PROMISES_IN_VAIN) await this.#endIfStuck(dispatch.workflowId);
    return inDispatchSpan(dispatch, parent, () => {
      // The workers of this process stop beside it. A first task that came back to them would wait for its timeout.
      const eager = options.eager && !this.#stop.signal.aborted;
      return sendDispatch(dispatch, { ...options, eager });
    });
  }

  async #endIfStuck(workflowId: string): Promise<void> {
    const { client, log } = this.#options;
    try {
      const attempt = await endIfStuck(client, workflowId, { pendingForMs: 0 });
      if (attempt === null) return;
      log.error({ workflowId, attempt }, 'an execution with failing workflow tasks is terminated and restarted');
    } catch (error) {
      log.warn({ err: error, workflowId }, 'a stuck execution could not be checked');
    }
  }

  async #sort(dispatch: Dispatch, result: DispatchOutcome, results: DispatchResults): Promise<void> {
    switch (result.outcome) {
      case 'done':
        results.done.push(dispatch.id);
        return;
      case 'already_completed':
        if (await this.#rowHasEnded(dispatch)) results.done.push(dispatch.id);
        else this.#park(dispatch, 'the workflow has completed but its row is not terminal', results);
        return;
      case 'refused':
        this.#park(dispatch, result.error, results);
        return;
      case 'failed': {
        // The next batch must not go out before the dispatcher has asked again which attributes there are.
        if (result.namesChanged) this.#attributes = undefined;
        const delayMs = result.atOnce ? 0 : Math.min(1_000 * 2 ** dispatch.attempts, MAX_RETRY_DELAY_MS);
        results.retry.push({ id: dispatch.id, error: result.error, delayMs });
      }
    }
  }

  #park(dispatch: Dispatch, error: string, results: DispatchResults): void {
    this.#options.log.error({ workflowId: dispatch.workflowId, error }, 'a dispatch is parked and needs an operator');
    results.parked.push({ id: dispatch.id, error });
  }

  async #rowHasEnded(dispatch: Dispatch): Promise<boolean> {
    const id = parseWorkflowId(dispatch.workflowId);
    if (id?.type !== 'deliverMessage') return true;
    const message = await this.#options.database.read((queries) => findMessageById(queries, id.key));
    return message === null || message.status === 'received' || hasEnded(message.status);
  }

  async #waitForTemporal(): Promise<void> {
    try {
      // A late answer to a call that was made before says more than the probe's, so that one is not waited for.
      const probing = { isOver: false };
      await Promise.race([this.#probe(probing), this.#reach.nextAnswer()]).finally(() => {
        probing.isOver = true;
      });
      if (this.#stop.signal.aborted) return;
      this.#attributes ??= await this.#options.attributes();
      if (this.#isOutageLogged && !this.#reach.isDown) this.#endOutage();
    } catch {
      await this.#options.database.wakeups.wait('dispatch', 'never', PROBE_EVERY_MS, this.#stop.signal);
    }
  }

  async #probe(probing: { readonly isOver: boolean }): Promise<void> {
    try {
      await this.#options.probe(this.#reach.deadlineMs);
      if (!probing.isOver) this.#reach.probed();
    } catch (error) {
      if (probing.isOver) return;
      const kind = unreachableBy(error) ?? 'missed';
      this.#reach[kind === 'missed' ? 'probeMissed' : kind]();
      throw error;
    }
  }

  #beginOutage(): void {
    if (this.#isOutageLogged) return;
    this.#isOutageLogged = true;
    this.#leave?.();
    this.#leave = undefined;
    this.#options.log.warn({}, 'Temporal is down; promises wait in the database');
  }

  #endOutage(): void {
    this.#isOutageLogged = false;
    this.#options.log.warn({}, 'Temporal is back');
    this.#options.onTemporalBack?.();
  }
}
