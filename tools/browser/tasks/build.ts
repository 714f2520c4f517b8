import assert from 'node:assert/strict';
import { until } from '../../demo/until.ts';
import type { Task } from './task.ts';

const PHONES = { mouse: '15550100145', keyboard: '15550100146' } as const;
const QUESTION = 'What is your name?';
const REMINDER = 'May we ask for your name?';
const PERSON = 'Maria';

export const build: Task = {
  title: 'builds a workflow by the form alone, tries it, and switches it on',
  from: '/inbox',
  async act({ name: hand, page, ...does }, { engine, sandbox }) {
    const title = `Ask for the name, by ${hand}`;
    const words = `a boat, by ${hand}`;
    const card = (end: string) => page.locator(`[data-pointer$="${end}"]`);
    const dialog = page.getByRole('dialog');
    const beside = page.getByRole('region', { name: 'Beside the steps' });
    await does.open('Workflows');
    await does.press(page.getByRole('button', { name: 'New workflow …' }));
    await does.press(dialog.getByRole('button', { name: 'Empty workflow' }));
    await does.write(page.getByLabel('Title', { exact: true }), title);
    await does.choose(page.getByLabel('Starts when'), 'A contact writes a message');
    await does.press(page.getByText('More filters'));
    await does.choose(page.getByLabel('Comparison'), 'is exactly');
    await does.write(page.getByLabel('Words', { exact: true }), words);

    await does.press(page.getByRole('button', { name: 'Add a step', exact: true }));
    await does.press(dialog.getByRole('button', { name: 'Ask a question' }));
    const question = card('/do/1/ask');
    await question.locator('[aria-invalid]').waitFor();
    await does.write(question.getByLabel('Text', { exact: true }), QUESTION);
    await does.write(question.getByLabel('Wait at most', { exact: true }), '1');
    await does.press(question.getByRole('button', { name: 'Add a branch for no answer' }));
    await does.press(dialog.getByRole('button', { name: 'Ask a question' }));
    await does.write(card('/silent/do/0/ask').getByLabel('Text', { exact: true }), REMINDER);
    await does.press(page.getByRole('button', { name: 'Add a step', exact: true }));
    await does.press(dialog.getByRole('button', { name: 'Hand over to a person' }));
    await does.write(card('/assignHuman').getByLabel('Person', { exact: true }), PERSON);
    await does.press(page.getByRole('button', { name: 'Remove “Send “Hello!””' }));

    // The JSON beside the cards changes them, and shows its problem at its card.
    await does.press(beside.getByRole('button', { name: 'JSON' }));
    const json = beside.getByLabel('Definition as JSON');
    const written = await json.inputValue();
    await does.write(json, written.replace('"call": "assignHuman"', '"call": "sing"'));
    await card('/assignHuman').getByText('No function sing exists').first().waitFor();
    await does.write(json, written);
    await card('/assignHuman').getByText('No function sing exists').first().waitFor({ state: 'hidden' });

    await does.press(beside.getByRole('button', { name: 'Try it' }));
    await does.write(beside.getByLabel('First message'), words);
    await does.press(beside.getByRole('button', { name: 'Try', exact: true }));
    for (const said of [QUESTION, REMINDER]) await beside.locator('blockquote', { hasText: said }).waitFor();
    await beside.getByText(`Would hand over to ${PERSON}`).waitFor();

    await does.press(page.getByRole('link', { name: 'All workflows' }));
    await does.press(dialog.getByRole('button', { name: 'Go back' }));
    await does.press(page.getByRole('button', { name: 'Save', exact: true }));
    await page.getByText('Saved as version 2').waitFor();
    await does.press(beside.getByRole('button', { name: 'Tenant' }));
    await does.press(beside.getByRole('button', { name: 'Switch on', exact: true }));
    const automation = await until('the workflow to be on', async () => {
      const { workflows } = await engine.workflows.list();
      const made = workflows.find((each) => each.title === title);
      const { automations } = await engine.automations.list();
      return automations.find((each) => each.automation === made?.automation && each.enabled)?.automation;
    });
    const { name } = await engine.sessions.readStatus();
    await sandbox.personWrites(name, PHONES[hand], words);
    const run = await until('a run that waits for the name', async () => {
      const { executions } = await engine.automations.listExecutions({ automation });
      return executions.find(({ waitsFor }) => waitsFor === 'reply');
    });
    assert.equal(run.version, 2);
    await engine.automations.cancelExecution(run.id);
    await engine.automations.set(automation, { enabled: false });
  },
};
