import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import type { WorkflowHandle } from '@temporalio/client';
import { workflowId } from '../../../domain/names.ts';
import { applyAcks } from '../../../db/sending/outcome.ts';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { findRows, toldPayloads } from '../../support/rows.ts';
import { sendsOf, textsSeenBy } from '../../support/sandbox-record.ts';
import { passportOf, send, untilStatus } from '../../support/sends.ts';

const BECAUSE = { actor: 'ops@example.org', reason: 'looked into the chat' };

describe('cancelMessage, resolveMessage: an operator decides about a message', () => {
  let engine: TestEngine;
  let agency: Agency;
  const uncertain = new Map<string, string>();

  const handleOf = (messageId: string): WorkflowHandle =>
    engine.temporal.workflow.getHandle(workflowId('deliverMessage', messageId));
  const resolveByApi = (messageId: string, body: object) =>
    call(engine, 'POST', `/api/v1/inbox/messages/${messageId}/resolve`, { key: agency.scopedKey, body });
  const idOf = (name: string): string => uncertain.get(name) ?? '';
  /** Undefined while its workflow has not begun. */
  const phaseOf = async (messageId: string): Promise<string | undefined> => {
    const view = await handleOf(messageId)
      .query<{ phase: string }>('state')
      .catch(() => undefined);
    return view?.phase;
  };

  beforeAll(async () => {
    engine = await startEngine();
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'decides' });
    // A session that has never shown one of its sends proves nothing, so what it loses becomes uncertain.
    const names = ['sent', 'resend', 'failed', 'by the API', 'echo'];
    await engine.control('POST', '/faults', {
      route: 'sendText',
      kind: 'status500',
      session: agency.session.name,
      count: names.length,
    });
    for (const [index, name] of names.entries()) {
      const { messageId } = await send(engine, agency, `1555010030${index}`, `uncertain: ${name}`);
      uncertain.set(name, messageId);
    }
    await eventually(async () =>
      (await Promise.all(names.map((name) => phaseOf(idOf(name))))).every((phase) => phase === 'settling'),
    );
    await eventually(async () => {
      engine.database.clock.advance(60_000);
      const passports = await Promise.all(names.map((name) => passportOf(engine, agency, idOf(name))));
      return passports.every(({ status }) => status === 'uncertain');
    });
  });
  afterAll(() => engine.close());

  it('what cannot be found out is uncertain, told to the dashboard, and open in Temporal', async () => {
    const passport = await passportOf(engine, agency, idOf('sent'));
    expect(passport.error?.code).toBe('outcome_unknown');
    const told = await toldPayloads(engine.database, { type: 'message.ack' }, { messageId: idOf('sent') });
    expect(told).toEqual([expect.objectContaining({ status: 'uncertain', ack: 0, reason: 'outcome_unknown' })]);
    await eventually(async () => (await phaseOf(idOf('sent'))) === 'uncertain');
  });

  it('an Update without actor, with another outcome or to cancel is refused and says why', async () => {
    const handle = handleOf(idOf('sent'));
    await eventually(async () => (await phaseOf(idOf('sent'))) === 'uncertain');
    const refusals: [string, object, RegExp][] = [
      ['resolve', { outcome: 'sent', reason: 'because' }, /"actor"/],
      ['resolve', { outcome: 'lost', ...BECAUSE }, /"outcome" must be one of/],
      ['cancel', BECAUSE, /It is uncertain: too late to cancel/],
    ];
    for (const [update, given, says] of refusals) {
      const refused: unknown = await handle.executeUpdate(update, { args: [given] }).catch((error: unknown) => error);
      if (!(refused instanceof WorkflowUpdateFailedError)) throw new Error(`${update} was not refused.`);
      expect(refused.cause?.message).toMatch(says);
    }
    expect((await passportOf(engine, agency, idOf('sent'))).status).toBe('uncertain');
  });

  it('an operator who has seen it there makes it sent, with actor and reason in its history', async () => {
    const answer = await handleOf(idOf('sent')).executeUpdate('resolve', { args: [{ outcome: 'sent', ...BECAUSE }] });
    expect(answer).toEqual({ status: 'sent', resentAs: null });
    const { status, body } = await call(engine, 'GET', `/api/v1/inbox/messages/${idOf('sent')}/status`, {
      key: agency.scopedKey,
    });
    expect(status).toBe(200);
    expect(body['history']).toMatchObject([
      { status: 'queued' },
      { status: 'sending' },
      { status: 'sending', reason: 'settling', detail: 'error_answer' },
      { status: 'uncertain', reason: 'outcome_unknown' },
      { status: 'sent', reason: 'resolved_by_operator', detail: BECAUSE.reason, actor: BECAUSE.actor },
    ]);
    expect((await sendsOf(engine, agency.session.name)).filter(({ reachedNetwork }) => reachedNetwork)).toEqual([]);
  });

  it('an operator who lets it be sent again gets a new message, once', async () => {
    const resolution = { outcome: 'resend', ...BECAUSE };
    // The row says so a moment before its workflow has heard of it.
    await eventually(async () => (await phaseOf(idOf('resend'))) === 'uncertain');
    const answer = await handleOf(idOf('resend')).executeUpdate<{ resentAs: string }, [object]>('resolve', {
      args: [resolution],
    });
    await untilStatus(engine, agency, answer.resentAs, 'read');
    expect(await handleOf(idOf('resend')).result()).toBe('failed');
    const again = await resolveByApi(idOf('resend'), resolution);
    expect(again.body).toEqual({ messageId: idOf('resend'), status: 'failed', resentAs: answer.resentAs });
    expect(await textsSeenBy(engine, agency.session.name, '15550100301@c.us')).toEqual(['uncertain: resend']);
  });

  it('an operator who has not seen it ends it through the API, and its workflow hears of it', async () => {
    const resolution = { outcome: 'failed', ...BECAUSE };
    expect((await resolveByApi(idOf('by the API'), resolution)).body).toMatchObject({
      status: 'failed',
      resentAs: null,
    });
    expect(await handleOf(idOf('by the API')).result()).toBe('failed');
    const passport = await passportOf(engine, agency, idOf('by the API'));
    expect(passport.error).toEqual({ code: 'resolved_by_operator', message: BECAUSE.reason });
    const another = await resolveByApi(idOf('by the API'), { outcome: 'sent', ...BECAUSE });
    expect(another).toMatchObject({ status: 409, body: { code: 'message_not_uncertain' } });
    expect((await resolveByApi('msg_0', resolution)).status).toBe(404);
    expect((await resolveByApi(idOf('failed'), { outcome: 'failed' })).status).toBe(422);
  });

  it('a message that the network shows after all is sent without anybody', async () => {
    const [went] = await findRows(
      engine.database,
      'message',
      { id: idOf('echo') },
      { sessionId: 'sessionId', networkId: 'chosenNetworkId' },
    );
    if (!went?.networkId) throw new Error('The message has no network id.');
    const ack = { networkId: went.networkId, level: 1, error: null } as const;
    await engine.database.transaction((tx) => applyAcks(tx, [{ sessionId: went.sessionId, ...ack }]));
    await untilStatus(engine, agency, idOf('echo'), 'sent', 'delivered', 'read');
    await eventually(async () => ['watching', 'ended'].includes((await phaseOf(idOf('echo'))) ?? ''));
  });

  it('nobody resolves a message of another tenant', async () => {
    const other = await anAgencyWithScopedKey(engine, { agencyId: 'others' });
    const answer = await call(engine, 'POST', `/api/v1/inbox/messages/${idOf('failed')}/resolve`, {
      key: other.scopedKey,
      body: { outcome: 'failed', ...BECAUSE },
    });
    expect(answer.status).toBe(404);
  });

  it('an operator cancels a message that waits for its session, and it is never sent', async () => {
    const { name: session } = agency.session;
    // The engine is not told, so it sends and is refused.
    await engine.control('POST', '/faults', { webhook: 'lose', count: 1, events: ['session.status'], session });
    await engine.control('POST', `/sessions/${session}/status`, { status: 'FAILED' });
    const { messageId } = await send(engine, agency, '15550100310', 'never mind');
    // It pauses until the engine knows of the session, and waits for it from then on.
    await eventually(async () => ['pausing', 'waiting'].includes((await phaseOf(messageId)) ?? ''));
    const wrong: unknown = await handleOf(messageId)
      .executeUpdate('resolve', { args: [{ outcome: 'sent', ...BECAUSE }] })
      .catch((error: unknown) => error);
    expect(wrong).toBeInstanceOf(WorkflowUpdateFailedError);
    expect(await handleOf(messageId).executeUpdate('cancel', { args: [BECAUSE] })).toEqual({ status: 'cancelled' });
    expect(await handleOf(messageId).result()).toBe('cancelled');
    await engine.control('POST', `/sessions/${session}/status`, { status: 'WORKING' });
    const passport = await passportOf(engine, agency, messageId);
    expect(passport).toMatchObject({ status: 'cancelled', error: { code: 'cancelled_by_request' } });
    const next = await send(engine, agency, '15550100310', 'this one');
    await untilStatus(engine, agency, next.messageId, 'read');
    expect(await textsSeenBy(engine, session, '15550100310@c.us')).toEqual(['this one']);
  });
});
