import { findMessageById } from '../db/conversations/message.ts';
import { finishDispatches, HELD_BY_ROLL_OUT } from '../db/dispatch.ts';
import type { Dispatch, DispatchResults } from '../db/dispatch.ts';
import type { Database } from '../db/engine/database.ts';
import { isFormerProcessConnected } from '../db/former-processes.ts';
import { listSlow } from '../db/sending/before-send.ts';
import type { Log } from '../domain/log.ts';
import { parseWorkflowId } from '../domain/names.ts';
import { pauses } from '../domain/pauses.ts';
import { hasEnded } from '../domain/sending/message-state.ts';
import { NEW_WORKFLOWS } from '../domain/workflows.ts';
import type { SearchAttribute } from '../domain/workflows.ts';
import type { Batch, BatchLeases } from './batch-leases.ts';
import { inDispatchSpan, measureResults, tracesOf } from './dispatch-telemetry.ts';
import { isPersonsSend, sendDispatch } from './dispatch/send-dispatch.ts';
import type { DispatchOutcome, SendOptions } from './dispatch/send-dispatch.ts';
import { answerOfEach, inSlices, sliceUp } from './dispatch/slices.ts';
import type { HandOver } from './dispatch/slices.ts';
import { endIfStuck } from './dispatch/stuck-execution.ts';
import type { TemporalGate } from './temporal-gate.ts';

export interface HandOversOf extends Pick<SendOptions, 'client' | 'eager'> {
  database: Database;
  gate: Pick<TemporalGate, 'reach' | 'underWay' | 'forgetAttributes'>;
  leases: Pick<BatchLeases, 'ended' | 'ring'>;
  log: Pick<Log, 'warn' | 'error'>;
}

/** The circumstances of a batch. */
interface Going {
  attributes: ReadonlySet<SearchAttribute>;
  /** The process stops. */
  stop: AbortSignal;
}

const RETRIES = pauses({ fromMs: 1_000, toMs: 30_000 });
/** A workflow that an older worker would fail is tried again this often. */
const HELD_FOR_MS = 30_000;
/**
 * After this many promises that did not move the row, the dispatcher looks at the execution, which may count as running
 * forever.
 */
const PROMISES_IN_VAIN = 3;

/** Hands leased promises to Temporal, and records how each ended. */
export class HandOvers {
  readonly #of: HandOversOf;
  readonly #formerProcesses: FormerProcesses;

  constructor(of: HandOversOf) {
    this.#of = of;
    this.#formerProcesses = new FormerProcesses(of.database);
  }

  async run({ token, dispatches: batch }: Batch, going: Going): Promise<void> {
    const { database, leases } = this.#of;
    const sent = new Map<string, Promise<DispatchOutcome>>();
    const { known, held } = await this.#partedByRelease(batch);
    const results: DispatchResults = { done: [], parked: [], retry: held };
    const handOvers = await this.#handOversOf(known);
    const peopleApart = known.some(isPersonsSend) && !(await this.#formerProcesses.areConnected());
    const traces = await tracesOf(database, handOvers);
    const since = performance.now();
    await Promise.all(
      handOvers.map(async ({ call, dispatches }) => {
        // All rows that ask for the same call to a workflow share one call, because hints coalesce.
        const same = `${call.action} ${call.workflowId} ${call.signal} ${JSON.stringify(call.signalArgs)}`;
        const answer = sent.get(same) ?? this.#send(call, { ...going, peopleApart }, traces.get(call.workflowId));
        sent.set(same, answer);
        for (const dispatch of dispatches) await this.#sort(dispatch, answerOfEach(await answer, dispatches), results);
      }),
    );
    leases.ended(performance.now() - since);
    await database.statement((tx) => finishDispatches(tx, token, results));
    measureResults(results);
    if (results.retry.some(({ delayMs }) => delayMs === 0)) leases.ring();
  }

  /** Holds back workflows that a worker of the release before would fail, while one of its processes is connected. */
  async #partedByRelease(batch: readonly Dispatch[]): Promise<{ known: Dispatch[]; held: DispatchResults['retry'] }> {
    const isNew = ({ workflowType }: Dispatch): boolean => NEW_WORKFLOWS.includes(workflowType);
    if (!batch.some(isNew) || !(await this.#formerProcesses.areConnected())) return { known: [...batch], held: [] };
    const held = batch.filter(isNew).map(({ id }) => ({ id, error: HELD_BY_ROLL_OUT, delayMs: HELD_FOR_MS }));
    return { known: batch.filter((dispatch) => !isNew(dispatch)), held };
  }

  /** A worker of the release before slices would fail a slice, so while one is connected each message goes alone. */
  async #handOversOf(batch: Dispatch[]): Promise<HandOver[]> {
    const { database, log } = this.#of;
    const together = inSlices(batch);
    const goAlone = new Set(together);
    if (together.length > 0 && !(await this.#formerProcesses.areConnected())) {
      try {
        const slow = await database.read((queries) => listSlow(queries, together));
        return sliceUp(batch, new Set(slow));
      } catch (error) {
        // The batch is leased, and goes all the same.
        log.warn({ err: error }, 'due messages go one by one, because the check for a slice failed');
      }
    }
    return sliceUp(batch, goAlone);
  }

  async #send(
    dispatch: Dispatch,
    { attributes, peopleApart, stop }: Going & { peopleApart: boolean },
    parent: string | undefined,
  ): Promise<DispatchOutcome> {
    const { client, gate, eager } = this.#of;
    if (dispatch.timesPromised >= PROMISES_IN_VAIN) await this.#endIfStuck(dispatch.workflowId);
    return inDispatchSpan(dispatch, parent, () => {
      const { reach, underWay } = gate;
      const options = { client, attributes, peopleApart, reach, underWay };
      // The workers of this process stop beside it. A first task that came back to them would wait for its timeout.
      return sendDispatch(dispatch, { ...options, eager: eager && !stop.aborted });
    });
  }

  async #endIfStuck(workflowId: string): Promise<void> {
    const { client, log } = this.#of;
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
        if (result.namesChanged) this.#of.gate.forgetAttributes();
        const delayMs = result.atOnce ? 0 : RETRIES.after(dispatch.attempts);
        results.retry.push({ id: dispatch.id, error: result.error, delayMs });
      }
    }
  }

  #park(dispatch: Dispatch, error: string, results: DispatchResults): void {
    this.#of.log.error({ workflowId: dispatch.workflowId, error }, 'a dispatch is parked and needs an operator');
    results.parked.push({ id: dispatch.id, error });
  }

  async #rowHasEnded(dispatch: Dispatch): Promise<boolean> {
    const id = parseWorkflowId(dispatch.workflowId);
    if (id?.type !== 'deliverMessage') return true;
    const message = await this.#of.database.read((queries) => findMessageById(queries, id.key));
    return message === null || message.status === 'received' || hasEnded(message.status);
  }
}

/** A process of the former release that starts is noticed after this time. */
const LOOK_EVERY_MS = 10_000;

/** Knows whether processes of the release before slices run beside this one, as they do during a rolling deploy. */
class FormerProcesses {
  readonly #database: Database;
  #looked = { atMs: -Infinity, areConnected: true };

  constructor(database: Database) {
    this.#database = database;
  }

  async areConnected(): Promise<boolean> {
    if (performance.now() - this.#looked.atMs < LOOK_EVERY_MS) return this.#looked.areConnected;
    try {
      const areConnected = await this.#database.read(isFormerProcessConnected);
      this.#looked = { atMs: performance.now(), areConnected };
      return areConnected;
    } catch {
      // The caller has leased dispatches, which a failed look must not hold up. They go without slices, and the next
      // call looks again.
      return true;
    }
  }
}
