import { sql } from 'kysely';
import type { WorkflowHandle } from '@temporalio/client';
import { promisePhoneQuestions } from '../../db/network/phone-questions.ts';
import { workflowId } from '../../domain/names.ts';
import type { TestEngine } from '../support/engine.ts';
import { untilRows } from '../support/rows.ts';
import { anAgency, ended } from './a-story-scene.ts';
import type { Story } from './a-story-scene.ts';
import { CANARY } from './canary.ts';
import { findExecution, untilTimer } from './wait.ts';

/** Somebody writes under a hidden id that the network knows no phone of, and was asked for so often. */
async function aQuestion(engine: TestEngine, name: string, asks: number): Promise<WorkflowHandle> {
  const { session } = await anAgency(engine, name);
  const from = `${CANARY.phone}4321@lid`;
  await engine.control('POST', `/sessions/${session.name}/inbound`, { from, text: CANARY.text, pushName: CANARY.name });
  await untilRows(engine.database, sql`contact where chat_id = ${from} and ask_session_id = ${session.id}`);
  await engine.database.transaction(async (tx) => {
    await sql`update contact set phone_asks = ${asks}, ask_phone_at = now() - interval '1 hour'
      where ask_session_id = ${session.id}`.execute(tx.sql);
    await promisePhoneQuestions(tx);
  });
  return findExecution(engine, `WorkflowId = '${workflowId('learnPhones', session.id)}'`);
}

export const PHONE_STORIES: readonly Story[] = [
  {
    name: 'learn-phones-asked-again-later',
    tell: async (engine) => untilTimer(await aQuestion(engine, 'unknown', 0), 'pause between two rounds'),
  },
  {
    name: 'learn-phones-given-up',
    tell: async (engine) => ended(await aQuestion(engine, 'never-known', 100)),
  },
];
