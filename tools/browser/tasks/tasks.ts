import type { Browser } from 'playwright-core';
import { keyboard } from '../hand/keyboard.ts';
import { mouse } from '../hand/mouse.ts';
import type { Report } from '../report.ts';
import type { Scene } from '../scene/scene.ts';
import { Tab } from '../stage.ts';
import { answer } from './answer.ts';
import { build } from './build.ts';
import { connect } from './connect.ts';
import { forAll } from './for-all.ts';
import { missing } from './missing.ts';
import { rehearse } from './rehearse.ts';
import { repair } from './repair.ts';
import { resend } from './resend.ts';
import { tryOne } from './try-one.ts';

const TASKS = [answer, missing, repair, resend, rehearse, tryOne, forAll, build, connect];

/** Lets a person do what they come for, once by mouse and once without one. */
export async function proveTasks(browser: Browser, scene: Scene, report: Report): Promise<void> {
  for (const handOf of [mouse, keyboard]) {
    const tab = await Tab.open(browser, scene, { key: scene.key });
    const hand = handOf(tab.page);
    for (const task of TASKS)
      await report.prove(`a person ${task.title}, by ${hand.name}`, tab, async () => {
        await task.prepare?.(scene, hand.name);
        await tab.go(task.from);
        await task.act(hand, scene);
      });
    await tab.close();
  }
}
