import { describe, expect, it } from '@jest/globals';
import type { Dispatch } from '../../../db/dispatch.ts';
import { sliceUp } from '../../../loops/dispatch/slices.ts';
import { PRIORITY } from '../../../domain/names.ts';

/** The first start of a message of a broadcast. */
function start(id: string, more: Partial<Dispatch> = {}): Dispatch {
  return {
    id: id.replace('msg_', ''),
    workflowType: 'deliverMessage',
    workflowId: `message/${id}`,
    action: 'start',
    signal: null,
    signalArgs: [],
    args: [id],
    attributes: { AgencyId: 'a1', TenantId: 't1', SessionId: 'ses_1', ConversationId: `cnv_${id}`, MessageId: id },
    summary: `text → cnv_${id} · agency a1`,
    priority: PRIORITY.automation,
    agencyId: 'a1',
    attempts: 1,
    timesPromised: 0,
    waitedSeconds: 0,
    ...more,
  };
}

const callsOf = (...batch: Dispatch[]) =>
  sliceUp(batch).map(({ call, dispatches }) => [call.workflowId, dispatches.length]);

describe('the messages of a broadcast that are due together', () => {
  it('of one session go in one slice, which shows no conversation and no message', () => {
    const [slice] = sliceUp([start('msg_1'), start('msg_2'), start('msg_3')]);
    expect(slice?.call).toMatchObject({
      workflowType: 'deliverSlice',
      workflowId: 'slice/msg_1',
      action: 'start',
      args: [['msg_1', 'msg_2', 'msg_3']],
      attributes: { AgencyId: 'a1', TenantId: 't1', SessionId: 'ses_1' },
      summary: 'slice · agency a1 · 3 messages',
      priority: PRIORITY.automation,
    });
    expect(slice?.call.attributes).not.toHaveProperty('MessageId');
    expect(slice?.dispatches.map(({ id }) => id)).toEqual(['1', '2', '3']);
  });

  it('of two sessions go in two slices, and one that is alone goes alone', () => {
    const other = { attributes: { SessionId: 'ses_2' } };
    const third = { attributes: { SessionId: 'ses_3' } };
    expect(
      callsOf(start('msg_1'), start('msg_2', other), start('msg_3'), start('msg_4', other), start('msg_5', third)),
    ).toEqual([
      ['slice/msg_1', 2],
      ['slice/msg_2', 2],
      ['message/msg_5', 1],
    ]);
  });

  it.each<[string, Partial<Dispatch>]>([
    ['is not of a broadcast', { priority: PRIORITY.api }],
    ['has an execution, which is signalled', { action: 'signal_with_start', signal: 'released' }],
    ['was tried before', { attempts: 2 }],
    ['has left its slice', { priority: PRIORITY.background }],
    ['is another workflow', { workflowType: 'deliverWebhooks', workflowId: 'endpoint/msg_2' }],
  ])('go without one that %s', (_what, more) => {
    const calls = callsOf(start('msg_1'), start('msg_2', more), start('msg_3', more), start('msg_4'));
    expect(calls).toHaveLength(3);
    expect(calls).toContainEqual(['slice/msg_1', 2]);
  });
});
