import { describe, expect, it } from '@jest/globals';
import type { Acted } from '../../activities/sending/actions.ts';
import { eventually } from '../support/eventually.ts';
import { detailsOf, inTurn, timersOf, workflowScene } from './a-workflow-scene.ts';

const scene = workflowScene('delivery');
const DONE: Acted = { state: 'ended', kind: 'edit', status: 'done', reason: null };

describe('actOnMessage: what is asked to be done to a message', () => {
  it('is done one after the other until nothing is left', async () => {
    const failed: Acted = { state: 'ended', kind: 'reaction', status: 'failed', reason: 'too_late' };
    scene.mock({ actOnMessage: inTurn<Acted>(DONE, DONE, failed, { state: 'nothing' }) });
    const acting = await scene.start('actOnMessage', 'msg_1');
    expect(await acting.result()).toEqual({ 'edit done': 2, 'reaction failed too_late': 1 });
    expect(scene.calls('actOnMessage')).toHaveLength(4);
  });

  it('waits while its session is away, and goes on when it is hinted at', async () => {
    let away = true;
    scene.mock({
      actOnMessage: async () =>
        away ? { state: 'waits', reason: 'session_not_working', forMs: 600_000 } : { state: 'nothing' },
    });
    const acting = await scene.start('actOnMessage', 'msg_1');
    await eventually(async () => (await detailsOf(acting)).includes('**waits**: `session_not_working`'));
    away = false;
    await acting.signal('due');
    expect(await acting.result()).toEqual({});
    expect((await timersOf(acting)).every(({ ms }) => ms === 600_000)).toBe(true);
  });
});
