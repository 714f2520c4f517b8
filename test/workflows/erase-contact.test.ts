import { describe, expect, it } from '@jest/globals';
import { workflowScene } from './a-workflow-scene.ts';

const scene = workflowScene('sync');

describe('eraseContact: an erasure', () => {
  it('goes on in rounds, waits for what comes first, and ends with what was erased', async () => {
    const rounds = [
      { step: 'messages', waitsFor: null, counts: { message: 500 } },
      { step: 'person', waitsFor: 'send_under_way', counts: { message: 700 } },
      { step: 'done', waitsFor: null, counts: { message: 700, contact: 1 } },
    ] as const;
    let asked = 0;
    scene.mock({ eraseOn: async () => rounds[asked++] ?? rounds[2] });
    const erasure = await scene.start('eraseContact', 'era_1');
    expect(await erasure.result()).toEqual(rounds[2]);
    expect(scene.calls('eraseOn')).toEqual(Array(3).fill({ erasureId: 'era_1' }));
  });
});

describe('exportTenant: an export', () => {
  it('goes on in rounds, and ends with what was written', async () => {
    const rounds = [
      { isOver: false, what: 'message', counts: { contact: 3 }, files: 0 },
      { isOver: true, what: null, counts: { contact: 3, message: 5 }, files: 1 },
    ] as const;
    let asked = 0;
    scene.mock({ exportOn: async () => rounds[asked++] ?? rounds[1] });
    const begun = await scene.start('exportTenant', 'exp_1');
    expect(await begun.result()).toEqual(rounds[1]);
    expect(scene.calls('exportOn')).toEqual(Array(2).fill({ exportId: 'exp_1' }));
  });
});
