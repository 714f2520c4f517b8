import type { CallsOf } from '../../adapters/backend/backends.ts';
import { Deadline } from '../../adapters/backend/http/deadline.ts';
import { adoptChatId, recordOnNetwork } from '../../db/conversations/contact.ts';
import { findBeforeSend, placeOf } from '../../db/sending/before-send.ts';
import type { BeforeSend } from '../../db/sending/before-send.ts';
import { noteTaken } from '../../db/sending/taken.ts';
import { canonicalChatId, chatIdOfPhone, chatKind, phoneOfChatId } from '../../domain/network/chat-id.ts';
import { otherForms } from '../../domain/network/phone-forms.ts';
import { WORKING } from '../../domain/sessions/session.ts';
import type { createCalls } from './calls.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { inTime } from '../in-time.ts';
import type { FileToLoad } from './media.ts';
import { BACKEND_UNKNOWN, endIt, NO_SLOT } from './send-result.ts';
import type { SendResult } from './send-result.ts';

export interface Attempt {
  /** When this worker began the send, by the clock of the process. */
  takenAt: number;
  /** The attempt may wait this long for a slot among the session's sends in flight. */
  slotWaitMs: number;
  /** The activity waits this long after the call has begun. The process keeps the call even longer. */
  callWaitMs: number;
  /** The slice that sends the message, if one does. */
  slice?: string;
  /** Does the slow work before the attempt has a slot. Returns the file that the call needs. */
  prepare?: (before: BeforeSend) => Promise<FileToLoad | null>;
}

type SendDependencies = Pick<ActivityDependencies, 'database' | 'backends' | 'limits'>;

const PLATFORM_WITHIN_MS = 1_000;
const CHECK_WITHIN_MS = 2_000;
const CHOOSE_WITHIN_MS = 1_000;
const NO_IDS_FOR_MS = 5_000;

/** Makes one attempt to send up to its claim: network id, recipient, file, slot. `calls` does the rest. */
export function createSend(deps: SendDependencies, calls: ReturnType<typeof createCalls>) {
  const { database, backends, limits } = deps;
  const chooseNetworkId = createNetworkIds(backends);

  /** A send that waits for its account or its session must not look as if it had waited for a worker. */
  async function send(before: BeforeSend, attempt: Attempt): Promise<SendResult> {
    const sent = await sendOnce(before, attempt);
    if (sent.state === 'retry' || sent.state === 'waiting') {
      const takenForMs = () => performance.now() - attempt.takenAt;
      await tolerate(database.statement((tx) => noteTaken(tx, [before.messageId], takenForMs())));
    }
    return sent;
  }

  async function sendOnce(first: BeforeSend, attempt: Attempt): Promise<SendResult> {
    if (!backends.knows(first)) return { state: 'retry', reason: BACKEND_UNKNOWN };
    const chosen = await choose(first);
    const before = first.status === 'queued' ? await checkRecipient(deps, first) : first;
    if (before.recipient === 'not_on_network' && before.status === 'queued') {
      return endIt(database, before, { status: 'failed', reason: 'not_on_network', detail: null });
    }
    const file = (await attempt.prepare?.(before)) ?? null;
    const roomBy = new Deadline(attempt.slotWaitMs);
    const { sessionId, agencyId } = before;
    const wanted = { bytes: file?.sizeBytes, agencyId, isPersons: before.isPersons };
    const giveBack = await limits.of(before).acquire(sessionId, attempt.slotWaitMs, wanted);
    if (!giveBack) return NO_SLOT;
    const begun = Promise.withResolvers<void>();
    // The slot is given back when the call has ended, which may be after its activity has ended.
    const work = load().finally(giveBack);
    return withinCallWait(work, begun.promise, attempt.callWaitMs);

    async function load(): Promise<SendResult> {
      const loaded = (await file?.load()) ?? null;
      const { messageId } = before;
      const slice = attempt.slice ?? null;
      const { takenAt } = attempt;
      const call = { messageId, ...chosen, file: loaded, slice, roomBy, takenAt };
      return calls.claimAndCall(call, begun.resolve);
    }
  }

  /** Finds out before the claim what the call needs to know, because the call must follow the claim at once. */
  async function choose(before: BeforeSend) {
    const { kind, platform: known } = before;
    const chosenNetworkId = await chooseNetworkId(before);
    if (known !== null || kind === 'text') return { chosenNetworkId, platform: known };
    try {
      return {
        chosenNetworkId,
        platform: (await inTime(backends.of(placeOf(before)).capabilities(), PLATFORM_WITHIN_MS)).platform,
      };
    } catch {
      return { chosenNetworkId, platform: null };
    }
  }

  /** Returns undefined when there is no such message. */
  async function look(messageId: string): Promise<BeforeSend | undefined> {
    return database.read((queries) => findBeforeSend(queries, messageId));
  }

  return { send, look };
}

/**
 * Chooses the network id before the call if the backend accepts one, so that a send whose answer is lost can be looked
 * up by its id.
 */
function createNetworkIds(backends: CallsOf<'chooseMessageId'>) {
  const noIdsUntil = new Map<string, number>();

  return async function chooseNetworkId(before: BeforeSend): Promise<string | null> {
    if (Date.now() < (noIdsUntil.get(before.backend) ?? 0)) return null;
    try {
      return await inTime(backends.of(placeOf(before)).chooseMessageId(before.platform), CHOOSE_WITHIN_MS);
    } catch {
      // A backend that cannot choose an id must not hold up every send, so for some seconds sends go without. A send
      // without an id is looked for in its chat.
      noIdsUntil.set(before.backend, Date.now() + NO_IDS_FOR_MS);
      return null;
    }
  };
}

/**
 * Asks the network about a number that nobody has written to yet: whether it is there, and under which chat id. Safe to
 * repeat, because the answer is kept with the contact. A failure to ask or to keep the answer does not hold up the
 * message: the next message asks again.
 */
async function checkRecipient(
  { database, backends }: Pick<SendDependencies, 'database' | 'backends'>,
  before: BeforeSend,
): Promise<BeforeSend> {
  const { conversationId, sessionName: session } = before;
  const phone = phoneOfChatId(before.chatId);
  if (before.recipient !== 'unchecked' || before.sessionStatus !== WORKING || !phone) return before;
  const ask = (form: string) =>
    inTime(backends.of(placeOf(before)).checkExists({ session, phone: form }), CHECK_WITHIN_MS);
  let answer: { exists: boolean; chatId: string | null };
  try {
    answer = await askEachForm(phone, ask);
  } catch {
    return before;
  }
  const theirs = answer.exists && answer.chatId ? canonicalChatId(answer.chatId) : before.chatId;
  // A hidden id is another address of the same person and not a better one, so the phone's address is kept.
  if (theirs === before.chatId || chatKind(theirs) !== 'phone') {
    await tolerate(database.statement((tx) => recordOnNetwork(tx, conversationId, answer.exists)));
    return { ...before, recipient: answer.exists ? null : 'not_on_network' };
  }
  await tolerate(
    database.transaction(async (tx) => {
      await recordOnNetwork(tx, await adoptChatId(tx, conversationId, theirs), answer.exists);
    }),
  );
  return (await database.read((queries) => findBeforeSend(queries, before.messageId))) ?? before;
}

/** A number is absent only if the network knows none of its spellings. */
async function askEachForm(
  phone: string,
  ask: (phone: string) => Promise<{ exists: boolean; chatId: string | null }>,
): Promise<{ exists: boolean; chatId: string | null }> {
  const asked = await ask(phone);
  if (asked.exists) return asked;
  for (const form of otherForms(phone)) {
    const other = await ask(form);
    if (other.exists) return { exists: true, chatId: other.chatId ?? chatIdOfPhone(form) };
  }
  return asked;
}

export async function tolerate(record: Promise<unknown>): Promise<void> {
  try {
    await record;
  } catch {
    // A failure to record is ignored: the claim needs the database too, and tells whether the message can go.
  }
}

/** Returns the work's result, or `unsettled` when the call has begun and does not end within `waitMs`. */
async function withinCallWait(work: Promise<SendResult>, begun: Promise<void>, waitMs: number): Promise<SendResult> {
  const { promise, resolve } = Promise.withResolvers<SendResult>();
  let timer: NodeJS.Timeout | undefined;
  void begun.then(() => {
    timer = setTimeout(() => resolve({ state: 'unsettled' }), waitMs);
  });
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
