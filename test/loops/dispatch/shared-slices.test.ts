import { describe, expect, it } from '@jest/globals';
import type { Dispatch } from '../../../db/dispatch.ts';
import { inSlices, sliceUp } from '../../../loops/dispatch/slices.ts';
import { PRIORITY } from '../../../domain/names.ts';
import type { Priority } from '../../../domain/names.ts';

/** The first start of a message that somebody waits for. */
function start(id: string, priority: Priority, more: Partial<Dispatch> = {}): Dispatch {
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
    priority,
    agencyId: 'a1',
    attempts: 1,
    timesPromised: 0,
    waitedSeconds: 0,
    ...more,
  };
}

const { reply, api, ai, background } = PRIORITY;
const callsOf = (batch: Dispatch[], slow?: ReadonlySet<string>) =>
  sliceUp(batch, slow).map(({ call, dispatches }) => [call.workflowId, call.priority, dispatches.length]);

describe('messages of one session that are due together', () => {
  it.each([reply, api, ai])('of priority %i share an execution from the third on', (priority) => {
    const [first, second, third] = ['msg_1', 'msg_2', 'msg_3'].map((id) => start(id, priority));
    if (!first || !second || !third) throw new Error('There are three.');
    expect(callsOf([first, second])).toEqual([
      ['message/msg_1', priority, 1],
      ['message/msg_2', priority, 1],
    ]);
    expect(callsOf([first, second, third])).toEqual([['slice/msg_1', priority, 3]]);
  });

  it('of two priorities do not share one: a reply must not wait for what is less urgent', () => {
    const mixed = [1, 2, 3].flatMap((n) => [start(`msg_r${n}`, reply), start(`msg_a${n}`, api)]);
    expect(callsOf(mixed)).toEqual([
      ['slice/msg_r1', reply, 3],
      ['slice/msg_a1', api, 3],
    ]);
  });

  it('that the reconcile promises again go alone, because they may have begun', () => {
    const again = ['msg_1', 'msg_2', 'msg_3'].map((id) => start(id, background));
    expect(callsOf(again)).toHaveLength(3);
  });

  it('go without one that needs time, and alone when too few are left', () => {
    const replies = ['msg_1', 'msg_2', 'msg_3', 'msg_4'].map((id) => start(id, reply));
    expect(inSlices(replies)).toEqual(['msg_1', 'msg_2', 'msg_3', 'msg_4']);
    expect(callsOf(replies, new Set(['msg_1']))).toEqual([
      ['message/msg_1', reply, 1],
      ['slice/msg_2', reply, 3],
    ]);
    expect(callsOf(replies, new Set(['msg_1', 'msg_2']))).toHaveLength(4);
  });
});
