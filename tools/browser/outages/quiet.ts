import { until } from '../../demo/until.ts';
import type { Scene } from '../scene/scene.ts';
import type { Place, Tab } from '../stage.ts';

/** A tenant where nobody else does anything. */
const QUIET = 'quiet';
const CUSTOMER = '15550100777';
export const PLACE: Place = { tenant: QUIET };

/** One conversation, with somebody who writes when it suits them. */
export class Quiet {
  readonly path: string;
  readonly #scene: Scene;
  readonly #session: string;

  private constructor(scene: Scene, session: string, path: string) {
    this.#scene = scene;
    this.#session = session;
    this.path = path;
  }

  static async make(scene: Scene): Promise<Quiet> {
    const engine = scene.engine.for({ tenantId: QUIET });
    const { name } = await scene.connectAccount('quiet', QUIET);
    await scene.sandbox.personWrites(name, CUSTOMER, 'Hello?');
    const chat = await until('the conversation', async () => (await engine.conversations.list()).chats[0]);
    // The agent would answer after a while of its own.
    await engine.conversations.assign(chat.conversationId);
    return new Quiet(scene, name, `/inbox/${chat.conversationId}`);
  }

  write(text: string): Promise<void> {
    return this.#scene.sandbox.personWrites(this.#session, CUSTOMER, text);
  }

  sent(text: string): Promise<number> {
    return this.#scene.sandbox.sends(this.#session).then((sends) => sends.filter(({ body }) => body === text).length);
  }

  /** Opens the conversation in a tab, live. */
  async open(tab: Tab): Promise<void> {
    await tab.go(this.path, PLACE);
    await isLive(tab);
    await tab.settled();
  }
}

export function isLive(tab: Tab): Promise<void> {
  return tab.page.locator('.live-state').getByText('Live', { exact: true }).waitFor();
}
