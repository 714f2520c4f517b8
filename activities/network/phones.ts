import { heartbeat } from '@temporalio/activity';
import {
  countQuestions,
  findAskingSession,
  holdQuestions,
  listDueQuestions,
  putQuestionsOff,
  recordPhoneAnswer,
  stopAsking,
} from '../../db/network/phone-questions.ts';
import type { AskingSession } from '../../db/network/phone-questions.ts';
import { EngineError } from '../../domain/error.ts';
import type { PhoneRound } from '../../domain/network/phone-questions.ts';
import type { ActivityDependencies } from '../dependencies.ts';

export type PhoneActivities = ReturnType<typeof createPhoneActivities>;

/** One round asks no more than this, so that an account is not flooded with questions. */
const MAX_QUESTIONS = 20;
/** A backend that is away is tried again after this long. */
const PUT_OFF_MS = 10 * 60_000;
/** With these errors the session or the backend is away, for all questions alike. */
const AWAY: ReadonlySet<string> = new Set(['backend_unavailable', 'session_not_ready']);

export function createPhoneActivities({
  database,
  backends,
}: {
  database: ActivityDependencies['database'];
  backends: Pick<ActivityDependencies['backends'], 'findPhone'>;
}) {
  /**
   * Asks the network for the phones behind the hidden ids of a session that are due. Returns counts and a time only,
   * because addresses must not stand in Temporal's history. Safe to repeat: each answer is recorded by itself.
   * Rows: contact, conversation, contact_merge.
   */
  async function askForPhones({ sessionId }: { sessionId: string }): Promise<PhoneRound> {
    const session = await database.read((queries) => findAskingSession(queries, sessionId));
    if (!session) {
      await database.transaction((tx) => stopAsking(tx, sessionId));
      return { asked: 0, found: 0, waiting: 0, nextInMs: null, held: null };
    }
    const due = session.canAsk
      ? await database.read((queries) => listDueQuestions(queries, sessionId, MAX_QUESTIONS))
      : [];
    const round = { asked: 0, found: 0 };
    let held: PhoneRound['held'] = session.canAsk ? null : 'session_not_ready';
    let unanswered: string | null = null;
    for (const question of due) {
      heartbeat();
      const answer = await answerTo(session.place, question.lid);
      if (answer === 'none') {
        held = 'backend_unavailable';
        unanswered = question.contactId;
        break;
      }
      const isFound = await database.transaction((tx) => recordPhoneAnswer(tx, session, question, answer.phone));
      round.asked += 1;
      if (isFound) round.found += 1;
    }
    if (held === 'session_not_ready') await database.transaction((tx) => holdQuestions(tx, sessionId));
    if (held === 'backend_unavailable')
      await database.transaction((tx) => putQuestionsOff(tx, sessionId, { pauseMs: PUT_OFF_MS, unanswered }));
    const { waiting, nextAt } = await database.read((queries) => countQuestions(queries, sessionId));
    const nextInMs = nextAt && Math.max(0, nextAt.getTime() - database.clock.now().getTime());
    return { ...round, waiting, nextInMs, held };
  }

  async function answerTo(session: AskingSession['place'], lid: string): Promise<{ phone: string | null } | 'none'> {
    try {
      return { phone: await backends.findPhone({ session, lid }) };
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      // Without an answer the round ends, and the questions are asked again later. A refusal is an answer to this one
      // question, which says no phone.
      return AWAY.has(error.code) ? 'none' : { phone: null };
    }
  }

  return { askForPhones };
}
