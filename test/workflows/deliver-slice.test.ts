import { describe, expect, it } from '@jest/globals';
import type { SliceResult } from '../../activities/sending/slice.ts';
import { STATE_QUERY } from '../../domain/names.ts';
import { inTurn, timersOf, workflowScene } from './a-workflow-scene.ts';

const scene = workflowScene('delivery');

const result = (some: Partial<SliceResult>): SliceResult => ({ sent: 0, ended: 0, onTheirOwn: 0, left: [], ...some });
const aSlice = (...messageIds: string[]) => scene.start('deliverSlice', messageIds);

describe('deliverSlice: the messages of a slice', () => {
  it('are sent by one activity, and the slice ends', async () => {
    scene.mock({ sendSlice: inTurn(result({ sent: 2, ended: 1 })) });
    const slice = await aSlice('msg_1', 'msg_2', 'msg_3');
    expect(await slice.result()).toEqual({ sent: 2, ended: 1, onTheirOwn: 0 });
    expect(scene.calls('sendSlice')).toEqual([{ slice: 'msg_1', messageIds: ['msg_1', 'msg_2', 'msg_3'] }]);
    expect((await slice.fetchHistory()).events).toHaveLength(6);
  });

  it('for which the time was too short are sent by a second activity, in the same slice', async () => {
    scene.mock({ sendSlice: inTurn(result({ sent: 1, left: ['msg_2'] }), result({ onTheirOwn: 1 })) });
    const slice = await aSlice('msg_1', 'msg_2');
    expect(await slice.result()).toEqual({ sent: 1, ended: 0, onTheirOwn: 1 });
    expect(scene.calls('sendSlice').at(-1)).toEqual({ slice: 'msg_1', messageIds: ['msg_2'] });
    expect(await timersOf(slice)).toEqual([]);
  });

  it('are counted for whoever asks how far the slice is', async () => {
    scene.mock({ sendSlice: inTurn(result({ sent: 1, left: ['msg_2'] }), result({ sent: 1 })) });
    const slice = await aSlice('msg_1', 'msg_2');
    await slice.result();
    expect(await slice.query(STATE_QUERY)).toEqual({ phase: 'ended', messages: 2, sent: 2, ended: 0, onTheirOwn: 0 });
  });
});
