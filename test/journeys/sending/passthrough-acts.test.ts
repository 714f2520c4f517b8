import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { countRows, findRow, findRows, not } from '../../support/rows.ts';
import { send, untilStatus } from '../../support/sends.ts';

const Run = z.object({ id: z.string() });

describe('an edit, a deletion or a reaction by a route of the backend', () => {
  let engine: TestEngine;
  let agency: Agency;

  beforeAll(async () => {
    engine = await startEngine();
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'acting' });
    const body = { agencyId: agency.agencyId, tenantId: agency.tenantId, enabled: true };
    const on = await call(engine, 'PUT', '/api/v1/automations/ask-satisfaction', { key: agency.dashboardKey, body });
    expect(on.status).toBe(200);
  });
  afterAll(() => engine.close());

  const ask = (method: string, path: string, body?: object) =>
    call(engine, method, path, { key: agency.scopedKey, ...(body === undefined ? {} : { body }) });

  /** A message that a bot has sent, and a run that waits for a reply in its conversation. */
  async function aScene(phone: string) {
    const { messageId, conversationId } = await send(engine, agency, phone, 'Come at 5');
    await untilStatus(engine, agency, messageId, 'sent');
    const { networkId } = await findRow(engine.database, 'message', { id: messageId }, ['networkId']);
    const { agencyId, tenantId, dashboardKey: key } = agency;
    const body = { agencyId, tenantId, automation: 'ask-satisfaction', conversationId };
    const { id } = Run.parse((await call(engine, 'POST', '/api/v1/automation-executions', { key, body })).body);
    const run = async () => (await ask('GET', `/api/v1/automation-executions/${id}`)).body;
    // The echo's own transaction writes it; the status follows, once the workflow has reacted.
    const takenOverAt = async () =>
      (await findRow(engine.database, 'automationExecution', { id }, ['takenOverAt'])).takenOverAt;
    await eventually(async () => (await run())['waitsFor'] === 'reply', { what: 'the run to wait for a reply' });
    return {
      messageId,
      run,
      takenOverAt,
      chatId: `${phone}@c.us`,
      backendId: `true_${phone}@c.us_${String(networkId)}`,
    };
  }
  type Scene = Awaited<ReturnType<typeof aScene>>;

  const react = ({ backendId }: Scene, actor: string) =>
    ask('PUT', '/api/reaction', { session: 'default', messageId: backendId, reaction: '👍', actor });
  const edit = ({ chatId, backendId }: Scene, actor: string) =>
    ask('PUT', `/api/default/chats/${chatId}/messages/${backendId}`, { text: 'Come at 6', actor });
  const remove = ({ chatId, backendId }: Scene, actor: string) =>
    ask('DELETE', `/api/default/chats/${chatId}/messages/${backendId}?actor=${actor}`);
  const isShown = {
    edit: ({ messageId }: Scene) => countRows(engine.database, 'message', { id: messageId, body: 'Come at 6' }),
    revoke: ({ messageId }: Scene) => countRows(engine.database, 'message', { id: messageId, revokedAt: not(null) }),
    reaction: ({ messageId }: Scene) => countRows(engine.database, 'messageResponse', { messageId }),
  };

  const ACTS = [
    ['edit', edit, '155505900'],
    ['revoke', remove, '155505910'],
    ['reaction', react, '155505920'],
  ] as const;

  it.each(ACTS)('ends no run when a bot has done it, before its echo or after: %s', async (kind, act, phone) => {
    const scene = await aScene(`${phone}01`);
    expect((await act(scene, 'bot')).status).toBe(200);
    await eventually(async () => (await isShown[kind](scene)) === 1, { what: 'the echo' });
    expect(await scene.takenOverAt()).toBeNull();
    const noted = await findRows(engine.database, 'messageAction', { messageId: scene.messageId }, ['kind', 'status']);
    expect(noted).toEqual([{ kind, status: 'done' }]);
  });

  it.each(ACTS)('ends the run of its conversation when a person has done it: %s', async (kind, act, phone) => {
    const scene = await aScene(`${phone}02`);
    expect((await act(scene, 'person')).status).toBe(200);
    await eventually(async () => (await scene.run())['status'] !== 'running', { what: 'the end of the run' });
    expect(await scene.run()).toMatchObject({ status: 'cancelled', reason: 'taken_over' });
    await eventually(async () => (await isShown[kind](scene)) === 1, { what: 'the echo' });
  });

  it('leaves no note of what the backend has refused a bot, so that a person on the phone still counts', async () => {
    const scene = await aScene('15550593001');
    await engine.control('POST', '/faults', { route: 'reaction', kind: 'plusOnly', count: 1 });
    expect((await react(scene, 'bot')).status).toBe(422);
    await eventually(
      async () => (await countRows(engine.database, 'messageAction', { messageId: scene.messageId })) === 0,
      { what: 'the note to go' },
    );
    expect(await scene.takenOverAt()).toBeNull();
  });

  it('ends no run when the backend has refused a person, whose next act ends it', async () => {
    const scene = await aScene('15550593002');
    await engine.control('POST', '/faults', { route: 'reaction', kind: 'plusOnly', count: 1 });
    expect((await react(scene, 'person')).status).toBe(422);
    expect(await scene.takenOverAt()).toBeNull();
    expect((await react(scene, 'person')).status).toBe(200);
    await eventually(async () => (await scene.takenOverAt()) !== null, { what: 'the act to count' });
    const noted = { messageId: scene.messageId };
    await eventually(async () => (await countRows(engine.database, 'messageAction', noted)) === 1, {
      what: 'the note',
    });
    expect(await findRows(engine.database, 'messageAction', noted, ['kind', 'status'])).toEqual([
      { kind: 'reaction', status: 'done' },
    ]);
  });

  it('hides no other act on the message when a bot has done it: a person who deletes it on the phone counts', async () => {
    const scene = await aScene('15550593003');
    expect((await react(scene, 'bot')).status).toBe(200);
    await eventually(async () => (await isShown.reaction(scene)) === 1, { what: 'the echo' });
    expect(await scene.takenOverAt()).toBeNull();
    await engine.control('POST', `/sessions/${agency.session.name}/revoke`, { id: scene.backendId });
    await eventually(async () => (await scene.takenOverAt()) !== null, { what: 'the act to count' });
  });

  it('keeps of its words what a row can hold, and the backend judges them', async () => {
    const scene = await aScene('15550593004');
    const path = `/api/default/chats/${scene.chatId}/messages/${scene.backendId}`;
    const long = 'x'.repeat(70_000);
    expect((await ask('PUT', path, { text: 'a\u0000b', actor: 'bot' })).status).toBe(200);
    expect((await ask('PUT', path, { text: long, actor: 'bot' })).status).toBe(200);
    const reaction = { session: 'default', messageId: scene.backendId, reaction: long, actor: 'bot' };
    expect((await ask('PUT', '/api/reaction', reaction)).status).toBe(200);
    const notes = () => findRows(engine.database, 'messageAction', { messageId: scene.messageId }, ['value'], ['seq']);
    expect((await notes()).map(({ value }) => value)).toEqual(['ab', 'x'.repeat(65_536), 'x'.repeat(64)]);
    await eventually(async () => (await isShown.reaction(scene)) === 1, { what: 'the echo' });
    expect(await scene.takenOverAt()).toBeNull();
  });
});
