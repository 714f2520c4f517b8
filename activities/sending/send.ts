import { randomUUID } from 'node:crypto';
import { Deadline } from '../../backend/http/deadline.ts';
import { adoptOwnMessages } from '../../db/network/adopt-own-messages.ts';
import { findBeforeSend } from '../../db/sending/before-send.ts';
import type { BeforeSend } from '../../db/sending/before-send.ts';
import { claimMessage, returnClaim } from '../../db/sending/claim.ts';
import { CLAIM_VALID_MS } from '../../domain/sending/message-state.ts';
import type { OutgoingFile } from '../../domain/sending/outgoing.ts';
import type { createCalls } from './calls.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { inTime } from '../in-time.ts';
import type { FileToLoad } from './media.ts';
import { createNetworkIds } from './network-id.ts';
import { checkRecipient } from './recipient.ts';
import { backInQueue, endIt, stateOf } from './send-result.ts';
import type { SendResult } from './send-result.ts';

export interface Attempt {
  /** How long it may wait for a place among the session's sends in flight. */
  slotWaitMs: number;
  /** How long it is waited for once the call is made; the process keeps the call all the same. */
  callWaitMs: number;
  /** What takes long and holds no place meanwhile; answers the file that the call needs. */
  prepare?: (before: BeforeSend) => Promise<FileToLoad | null>;
}

const PLATFORM_WITHIN_MS = 1_000;

interface Chosen {
  networkId: string | null;
  platform: string | null;
}

/** One attempt to send: recipient, place, file, claim, call, record. */
export function createSend(
  deps: Pick<ActivityDependencies, 'database' | 'backend' | 'limits'>,
  calls: ReturnType<typeof createCalls>,
) {
  const { database, backend, limits } = deps;
  const chooseNetworkId = createNetworkIds(backend);

  async function send(first: BeforeSend, attempt: Attempt): Promise<SendResult> {
    const chosen = await choose(first);
    const before = first.status === 'queued' ? await checkRecipient(deps, first) : first;
    if (before.recipient === 'not_on_network' && before.status === 'queued') {
      return endIt(database, before, { status: 'failed', reason: 'not_on_network', detail: null });
    }
    const file = (await attempt.prepare?.(before)) ?? null;
    const release = await limits.acquire(before.sessionId, attempt.slotWaitMs, file?.sizeBytes);
    if (!release) return { state: 'retry', reason: 'the session has enough sends in flight' };
    const called = Promise.withResolvers<void>();
    // The place is given back when the call has ended, which may be after its activity.
    const work = loadAndCall(before.messageId, chosen, file, called.resolve).finally(release);
    return withinCallWait(work, called.promise, attempt.callWaitMs);
  }

  /** What must be known before the claim, for the call must follow it at once. */
  async function choose({ kind, platform: known }: BeforeSend): Promise<Chosen> {
    const networkId = await chooseNetworkId(known);
    if (known !== null || kind === 'text') return { networkId, platform: known };
    try {
      return { networkId, platform: (await inTime(backend.capabilities(), PLATFORM_WITHIN_MS)).platform };
    } catch {
      return { networkId, platform: null };
    }
  }

  async function loadAndCall(
    messageId: string,
    chosen: Chosen,
    file: FileToLoad | null,
    called: () => void,
  ): Promise<SendResult> {
    const loaded = (await file?.load()) ?? null;
    return calls.keep(messageId, claimAndCall(messageId, chosen, loaded, called));
  }

  async function claimAndCall(
    messageId: string,
    { networkId: chosenNetworkId, platform }: Chosen,
    file: OutgoingFile | null,
    called: () => void,
  ): Promise<SendResult> {
    const token = randomUUID();
    const beginBy = new Deadline(CLAIM_VALID_MS);
    const claim = await database.transaction((tx) =>
      claimMessage(tx, messageId, { token, owner: database.wakeups.owner, chosenNetworkId }),
    );
    switch (claim.claim) {
      case 'ended':
        return stateOf(database, messageId);
      case 'unsettled':
        return { state: 'unsettled' };
      case 'not_now':
        return { state: 'waiting', reason: claim.reason };
      case 'soon':
        // Whoever else does it may be gone, or busy; a failure stands in the row.
        await adoptOwnMessages(database, backend.findPhone, claim.conversationId);
        return { state: 'retry', reason: 'somebody may be writing on the phone' };
      case 'refused': {
        const { conversationId, status, reason } = claim;
        return endIt(database, { messageId, conversationId }, { status, reason, detail: null });
      }
      case 'claimed':
        break;
    }
    if (beginBy.isPast()) {
      await database.transaction((tx) => returnClaim(tx, claim, token, 'claim_too_old'));
      return backInQueue(database, messageId, 'the claim was too old to begin the call');
    }
    called();
    return calls.make(claim, token, file, { platform: claim.platform ?? platform, beginBy });
  }

  /** Undefined when there is no such message. */
  async function look(messageId: string): Promise<BeforeSend | undefined> {
    return database.read((queries) => findBeforeSend(queries, messageId));
  }

  return { send, look };
}

async function withinCallWait(work: Promise<SendResult>, called: Promise<void>, waitMs: number): Promise<SendResult> {
  const { promise, resolve } = Promise.withResolvers<SendResult>();
  let timer: NodeJS.Timeout | undefined;
  void called.then(() => {
    timer = setTimeout(() => resolve({ state: 'unsettled' }), waitMs);
  });
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
