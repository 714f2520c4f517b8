import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core';
import { until } from '../demo/until.ts';
import { MARK } from '../../test/ai-corpus/attacks.ts';
import { AGENCY, TENANT } from './scene/scene.ts';
import type { Scene } from './scene/scene.ts';

/** A machine under load only makes the proof slower. */
const PATIENCE_MS = 45_000;
export const WIDE_SCREEN = { width: 1280, height: 860 };
/** Browsers log this for any response that refuses, and a page may expect the refusal. */
const REFUSED = /^Failed to load resource/;

export function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    // Containers give no room for a sandbox of Chromium's own, and /dev/shm is small there.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-background-networking', '--force-color-profile=srgb'],
  });
}

/** A tab of somebody who is logged in, and what went wrong in it that no page of the console may do. */
export class Tab {
  readonly page: Page;
  readonly wrongs: string[] = [];
  readonly #url: string;
  /** Requests that are not answered yet, but for the stream, which is never at its end. */
  readonly #awaited = new Set<Request>();

  private constructor(page: Page, url: string) {
    this.page = page;
    this.#url = url;
    const origin = new URL(url).origin;
    page.setDefaultTimeout(PATIENCE_MS);
    page.on('pageerror', (error) => this.wrongs.push(`a script failed: ${error.message}`));
    page.on('dialog', (dialog) => {
      this.wrongs.push(`a script opened a box: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('console', (line) => {
      if (line.type() === 'error' && !REFUSED.test(line.text())) this.wrongs.push(`the browser says: ${line.text()}`);
    });
    page.on('response', (response) => this.#awaited.delete(response.request()));
    page.on('requestfailed', (request) => this.#awaited.delete(request));
    page.on('request', (request) => {
      if (!request.url().includes('/events/stream')) this.#awaited.add(request);
      if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin)
        this.wrongs.push(`the page asked another host: ${request.url()}`);
    });
  }

  /** Without a key nobody is logged in. */
  static async open(browser: Browser, scene: Scene, given: TabOptions = {}): Promise<Tab> {
    const { key, url = scene.url, ...options } = given;
    const context = await browser.newContext({
      viewport: WIDE_SCREEN,
      colorScheme: 'light',
      reducedMotion: 'reduce',
      locale: 'en-GB',
      ...options,
    });
    if (key !== undefined) await logIn(context, url, scene.url, key);
    return new Tab(await context.newPage(), url);
  }

  /** Opens an address of the console in the place that the scene is about. */
  async go(path: string, place: Place = { tenant: TENANT }): Promise<void> {
    const at = new URL(`${this.#url}/console${path}`);
    for (const [name, value] of Object.entries(place)) if (value !== undefined) at.searchParams.set(name, value);
    await this.page.goto(at.href);
    await this.page.getByRole('heading', { level: 1 }).waitFor();
  }

  /** Waits until all that was asked for is there and shown. */
  async settled(): Promise<void> {
    await until('the page to be there', async () => {
      if (this.#awaited.size > 0) return false;
      const isShown = await this.page.evaluate(() => {
        const main = document.querySelector('main');
        return main !== null && !/^Loading …$/m.test(main.innerText) && !main.querySelector('[aria-busy="true"]');
      });
      return isShown && this.#awaited.size === 0;
    });
  }

  /** Throws where a script of a stranger ran, or the console's own failed. */
  async expectNoWrong(): Promise<void> {
    if ((await this.page.title()).includes(MARK)) this.wrongs.push('a text of a stranger ran as a script');
    if (this.wrongs.length > 0) throw new Error(this.wrongs.join('\n'));
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}

export interface TabOptions extends BrowserContextOptions {
  key?: string;
  /** Another way to the same engine. */
  url?: string;
}

export interface Place {
  agency?: string | undefined;
  tenant?: string | undefined;
}

/** The place for the master key, which may see every agency. */
export const inAgency = (tenant = TENANT): Place => ({ agency: AGENCY, tenant });

async function logIn(context: BrowserContext, url: string, origin: string, apiKey: string): Promise<void> {
  const answer = await context.request.post(`${url}/console/session`, {
    headers: { 'x-requested-with': 'engine-console', origin },
    data: { apiKey },
  });
  if (!answer.ok()) throw new Error(`The console answered ${answer.status()} to a login: ${await answer.text()}`);
}
