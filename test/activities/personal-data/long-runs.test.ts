import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { createExecutionActivities } from '../../../activities/automations/executions.ts';
import { createStepActivities } from '../../../activities/automations/steps.ts';
import { setAutomation } from '../../../db/automations/automation.ts';
import { claimMessage } from '../../../db/sending/claim.ts';
import { recordSent } from '../../../db/sending/outcome.ts';
import { Catalogue } from '../../../domain/automations/definition.ts';
import { workflowId } from '../../../domain/names.ts';
import { askSatisfaction } from '../../../workflows/automations/index.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { howMany } from '../../support/depth.ts';
import { changeRows, countRows, databaseNow, findRows, rowsOf } from '../../support/rows.ts';
import { executionScene } from '../automations/execution-scene.ts';
import { addressesNow, atEachStep, HAPPENINGS, happeningsOf, never, Steps, twoWhoWrote } from './between-steps.ts';

const { database, session, sessionId } = await databaseOfThisFile();
const automations = new Catalogue({ askSatisfaction });
const { sendText, lookForReply } = createStepActivities({ database, automations });
const { beginExecution, endExecution } = createExecutionActivities({ database });
const { writes } = executionScene(database, session);
const happenings = happeningsOf(database, sessionId);

/** The run that the newest message of this text began. */
async function runBegunBy(text: string): Promise<string> {
  const [run] = await rowsOf(
    database,
    sql<{ id: string }>`select e.id from automation_execution e join message m on m.id = e.trigger->>'messageId'
      where m.body = ${text}`,
  );
  return run?.id ?? '';
}

/** Says a message, and answers whether it went to the person of this address. */
async function goesTo(messageId: string, chatId: string): Promise<string> {
  const token = randomUUID();
  await changeRows(database, 'message', { releasedAt: databaseNow }, { id: messageId });
  const claim = await database.transaction((tx) =>
    claimMessage(tx, messageId, { token, owner: '1', chosenNetworkId: null }),
  );
  if (claim.claim !== 'claimed') return claim.claim;
  const own = await addressesNow(database, chatId);
  const { conversationId } = claim;
  await database.transaction((tx) => recordSent(tx, { messageId, conversationId, token, networkId: `N${messageId}` }));
  return own.includes(claim.chatId) ? 'own' : 'another';
}

/** Its steps: begun, asked, said, waiting, answered, heard, thanked, said, ended. */
describe('a run that waits for a reply', () => {
  beforeAll(async () => {
    const configured = askSatisfaction.configure({});
    if ('wrong' in configured) throw new Error('The automation cannot be switched on.');
    const trigger = { event: 'message', isReply: false } as const;
    const automation = { definition: 'ask-satisfaction', enabled: true, keyId: 'key', ...configured, trigger };
    await database.transaction((tx) => setAutomation(tx, session, automation));
  });

  for (const who of ['phone', 'hidden'] as const)
    for (const name of HAPPENINGS)
      it(`talks with the person of the ${who}, and with nobody else, with ${name} between any two steps`, async () => {
        await atEachStep(howMany({ few: 9, all: 1_000 }), async (at) => {
          const { before, happens } = happenings[name] ?? never();
          const two = await twoWhoWrote(database, sessionId);
          if (before) await happenings['a merge']?.happens(two);
          const [own, other] = who === 'phone' ? [two.phone, two.hidden] : [two.hidden, two.phone];
          await writes(own, `Hello from ${own}`);
          const executionId = await runBegunBy(`Hello from ${own}`);
          const steps = new Steps(at, () => happens(two));
          const aStep = (number: number, of: string) => ({ executionId, number, name: of, besidePeople: false });
          const says = async (number: number, text: string) => {
            await steps.next();
            const sent = await sendText({ ...aStep(number, 'send'), text });
            if (sent.stop !== null) return sent.stop;
            await steps.next();
            const { messageId } = sent.detail;
            return typeof messageId === 'string' ? goesTo(messageId, own) : 'nothing';
          };
          const wait = { ...aStep(2, 'waitForReply'), timeoutMs: 3_600_000, choices: ['4', '5'], isOver: false };

          await steps.next();
          await beginExecution({ executionId, versions: {} });
          const asked = await says(1, 'question');
          await steps.next();
          await lookForReply(wait);
          await steps.next();
          const isOne = (await addressesNow(database, own)).includes(other);
          if (!isOne) await writes(other, '4');
          expect([
            at,
            await countRows(database, 'dispatch', {
              workflowId: workflowId('runAutomation', executionId),
              signal: 'changed',
            }),
          ]).toEqual([at, 0]);
          await writes(own, '5');
          expect([
            at,
            await countRows(database, 'dispatch', {
              workflowId: workflowId('runAutomation', executionId),
              signal: 'changed',
            }),
          ]).toEqual([at, 1]);
          await steps.next();
          // The network says meanwhile that the other one is the same person: then that was the first answer.
          const choice = !isOne && (await addressesNow(database, own)).includes(other) ? '4' : '5';
          const looked = await lookForReply(wait);
          const thanked = await says(3, 'thanks');
          await steps.next();
          await endExecution({ executionId, status: 'completed', reason: null });
          const [row] = await findRows(database, 'automationExecution', { id: executionId }, ['status', 'reason']);
          expect([at, asked, looked, thanked, row]).toEqual([
            at,
            'own',
            expect.objectContaining({ choice }),
            'own',
            { status: 'completed', reason: null },
          ]);
          return steps;
        });
      });
});
