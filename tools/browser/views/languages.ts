import type { Browser } from 'playwright-core';
import type { Report } from '../report.ts';
import type { Scene } from '../scene/scene.ts';
import { STORM } from '../scene/storm.ts';
import type { Storm } from '../scene/storm.ts';
import { inAgency, Tab } from '../stage.ts';
import { proveLooks } from './looks.ts';

/** German has the longest words, and Spanish the longest sentences. */
const READERS = ['de-DE', 'es-ES'] as const;

/** Proves that the words of other languages fit into the pages. */
export async function proveLanguages(browser: Browser, scene: Scene, report: Report, storm: Storm): Promise<void> {
  const paths = [
    `/inbox/${storm.conversation}`,
    `/connect/${storm.session}`,
    `/message/${storm.failed}`,
    `/events/endpoints/${storm.endpoint}`,
    '/events/deliveries',
    '/agent/persona',
    '/automations/all/welcome-contact',
    `/workflows/${storm.workflow}`,
    '/operations/health',
    '/operations/settings',
  ];
  for (const locale of READERS) {
    const tab = await Tab.open(browser, scene, { key: await scene.masterKey(), locale });
    for (const path of paths)
      await report.prove(
        `the words of ${locale} fit into ${path.replaceAll(/[a-z]+_[0-9a-f-]{30,}/g, '…')}`,
        tab,
        async () => {
          await tab.go(path, inAgency(STORM));
          await tab.settled();
          await proveLooks(tab);
        },
      );
    await tab.close();
  }
}
