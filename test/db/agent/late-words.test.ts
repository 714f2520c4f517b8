import { beforeEach, describe, expect, it } from '@jest/globals';
import { resumeAutomations, stopAutomations } from '../../../db/automations/stop.ts';
import { endContentWait, listOverdueContent } from '../../../db/network/awaited-content.ts';
import { ago, changeRows } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { anAgent } from './a-turn.ts';
import { askingRun } from './asking-run.ts';

const { database, sessionId } = await databaseOfThisFile();
const agent = anAgent(database, sessionId);
const runAsks = askingRun(database, sessionId);
const lastCode = async (id: string) => (await agent.turnsOf(id))[0]?.silenceCode;

describe('the agent after a silent turn', () => {
  beforeEach(async () => {
    await agent.startOver();
    await agent.persona({});
  });

  it('answers words that come to a message that had none, as an unknown kind or while a run asked', async () => {
    const [unknown, asked] = [agent.person(), agent.person()];
    const report = { kind: 'other', networkId: 'UNKNOWN', content: { unsupported: 'templateMessage' } } as const;
    const id = await agent.write(unknown, '', report);
    expect(await lastCode(id)).toBe('nothing_said');
    await agent.write(unknown, 'Are you there?', { networkId: 'UNKNOWN' });
    await agent.settle(id);
    expect(await agent.sentIn(id)).toHaveLength(1);

    const stub = { kind: 'other', networkId: 'ASKED', content: { contentState: 'waiting' } } as const;
    const owned = await agent.write(asked, '', stub);
    await runAsks(owned);
    await changeRows(database, 'awaitedContent', { until: ago({ seconds: 1 }) });
    const [waits] = await database.read((queries) => listOverdueContent(queries, 10));
    await database.transaction((tx) => endContentWait(tx, waits ?? ''));
    expect(await lastCode(owned)).toBe('content_missing');
    await changeRows(database, 'automationExecution', { status: 'completed' }, { conversationId: owned });
    await agent.write(asked, 'Are you there?', { networkId: 'ASKED' });
    await agent.settle(owned);
    expect(await agent.sentIn(owned)).toHaveLength(1);
  });

  it('answers where the run that asked is stopped or switched off', async () => {
    const by = { keyId: 'master', actor: 'ops', reason: 'a wrong text' };
    const chat = agent.person();
    const id = await agent.write(chat, 'Hello?');
    await agent.settle(id);
    await runAsks(id);
    await database.transaction((tx) => stopAutomations(tx, SCOPE.agencyId, by));
    await agent.write(chat, 'Anybody?');
    await agent.settle(id);
    await database.transaction((tx) => resumeAutomations(tx, SCOPE.agencyId, by));
    expect(await agent.sentIn(id)).toHaveLength(2);
    await agent.write(chat, '5');
    expect(await lastCode(id)).toBe('automation');
    await changeRows(database, 'automation', { enabled: false }, { agencyId: SCOPE.agencyId });
    await agent.write(chat, 'And now?');
    await agent.settle(id);
    expect(await agent.sentIn(id)).toHaveLength(3);
  });
});
