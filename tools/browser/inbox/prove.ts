import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { until } from '../../demo/until.ts';
import type { Report } from '../report.ts';
import type { Scene } from '../scene/scene.ts';
import { Tab } from '../stage.ts';
import { proveComposing } from './composing.ts';
import { proveContent } from './content.ts';
import { proveFinding } from './finding.ts';
import { proveOdd } from './odd.ts';
import { provePanes } from './panes.ts';
import { proveTeam } from './team.ts';
import { NAME, proveLists } from './views.ts';

const TENANT = 'desk';
const READ = { from: '15550100151', text: 'Who reads this?' };
const ANSWERED = { from: '15550100152', text: 'Who answers this?' };
const CALLED = { from: '15550100153', text: 'Do call me!' };
const SOON = { timeout: 10_000 };
const FROM_PHONE = ['Hello, it is me.', 'I am on my way.', 'Nearly there.', 'At the door.', 'Open up!'];
/** The console promises this for a message from the phone, of which no event tells. */
const PHONE_WITHIN_MS = 3_000;

/** The list of chats shows at once what was done in one. */
export async function proveInbox(browser: Browser, scene: Scene, report: Report): Promise<void> {
  const engine = scene.engine.for({ tenantId: TENANT });
  const tab = await Tab.open(browser, scene, { key: scene.key });
  const { page } = tab;
  const account = await scene.connectAccount(undefined, TENANT);

  await report.prove('an account in which nobody has written yet says so, and not that no chat fits', tab, async () => {
    await tab.go('/inbox', { tenant: TENANT });
    await page.getByText('No conversations yet').waitFor();
    await page.getByLabel('Search').fill('nobody');
    await page.getByText('No conversations match.').waitFor();
  });

  for (const { from, text } of [READ, ANSWERED, CALLED]) await scene.sandbox.personWrites(account.name, from, text);
  await report.prove('a chat that was read stays read when another is opened', tab, async () => {
    await tab.go('/inbox', { tenant: TENANT });
    await rowOf(page, READ.text).locator('.unread').waitFor();
    const read = page.waitForResponse((response) => response.url().endsWith('/read') && response.ok());
    await rowOf(page, READ.text).click();
    await read;
    await rowOf(page, ANSWERED.text).click();
    await rowOf(page, READ.text)
      .locator('.unread')
      .waitFor({ state: 'detached', ...SOON });
  });

  await provePanes(tab, report, { tenant: TENANT, opens: READ.text });

  await report.prove('the list of chats shows a message from the phone within three seconds', tab, async () => {
    await tab.go('/inbox', { tenant: TENANT });
    await rowOf(page, CALLED.text).waitFor();
    await tab.settled();
    const tookMs: number[] = [];
    for (const text of FROM_PHONE) {
      const writtenAt = performance.now();
      await scene.sandbox.phoneWrites(account.name, CALLED.from, text);
      await rowOf(page, text).waitFor();
      tookMs.push(Math.round(performance.now() - writtenAt));
    }
    report.say(`  ${FROM_PHONE.length} messages from the phone were in the list after ${tookMs.join(', ')} ms`);
    const median = tookMs.toSorted((a, b) => a - b)[Math.floor(tookMs.length / 2)] ?? Infinity;
    assert.ok(median <= PHONE_WITHIN_MS, `Half of them took ${median} ms or more.`);
  });

  await report.prove('whoever answers sees below the box what became of it, and what the agent is', tab, async () => {
    await rowOf(page, ANSWERED.text).click();
    await page.getByRole('button', { name: 'Take over' }).click();
    await page.getByText('You have the conversation', { exact: true }).waitFor();
    await page.getByLabel('Your name').waitFor();
    // A person may leave the question, and has the chat all the same.
    await page.keyboard.press('Escape');
    await page.getByText('A person answers', { exact: true }).waitFor();
    await page.getByLabel('Your message').fill('I do.');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const outcome = page.getByRole('status').filter({ hasText: 'Your message: Read.' });
    await outcome.waitFor();
    await page.getByRole('button', { name: 'Give back' }).click();
    await page.getByText('Given back. The agent is off, so nobody answers').waitFor();
    await page.getByText('Given back', { exact: true }).waitFor();
    await outcome.getByRole('link', { name: 'Show history' }).click();
    const ids = page.locator('.facts .mono', { hasText: 'msg_' });
    await ids.nth(1).waitFor();
    const lines = await ids.evaluateAll((all) => all.map((id) => id.getClientRects().length));
    assert.deepEqual(lines, [1, 1], 'An id is broken over lines.');
  });

  await proveLists(tab, report, { scene, tenant: TENANT, account: account.name });
  await proveTeam(browser, tab, report, { scene, tenant: TENANT, account: account.name });
  await proveContent(tab, report, { scene, tenant: TENANT, account: account.name });
  await proveComposing(tab, report, { scene, tenant: TENANT, account: account.name });
  await proveFinding(tab, report, { scene, tenant: TENANT });
  await proveOdd(browser, report, { scene, tenant: TENANT, account: account.name });

  await engine.agentPersona.update({ active: true, agentName: 'Bella', systemPrompt: 'You sell bicycles.' });
  await engine.agentState.update({ enabled: true });
  await report.prove('the list of chats shows what the agent says as soon as the conversation does', tab, async () => {
    const asked = 'Is the blue one still there?';
    await tab.go('/inbox', { tenant: TENANT });
    await rowOf(page, READ.text).waitFor();
    await tab.settled();
    await scene.sandbox.personWrites(account.name, READ.from, asked);
    const { chat, said } = await until('the answer of the agent', async () => {
      const { chats } = await engine.conversations.list({ search: READ.from });
      const [found] = chats;
      return found?.lastMessage?.fromMe === true && { chat: found.conversationId, said: found.lastMessage.body };
    });
    await page
      .locator(`a.chat[href*="${chat}"]`)
      .filter({ hasText: `Agent: ${said}` })
      .waitFor(SOON);
    assert.equal((await engine.conversations.read(chat)).mode, 'bot_active');
  });
  await report.prove('a chat of the agent that a person answers is in their own list', tab, async () => {
    const answer = 'It is. I keep it for you.';
    await rowOf(page, 'Agent: ').first().click();
    await page.getByText('Sending takes the conversation over from the agent.').waitFor();
    await page.getByLabel('Your message').fill(answer);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText(`${NAME} answers`).waitFor();
    await page.getByRole('navigation', { name: 'Lists' }).getByRole('link', { name: 'Mine' }).click();
    await rowOf(page, answer).getByText(NAME).waitFor();
  });
  await tab.close();
}

const rowOf = (page: Page, text: string) => page.locator('a.chat', { hasText: text });
