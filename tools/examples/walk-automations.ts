import { z } from 'zod';
import { eventually } from '../../test/support/eventually.ts';
import { MASTER_KEY } from '../../test/support/keys.ts';
import type { Notebook } from './notebook.ts';
import { Made, tenantId } from './scene.ts';

/** Switches an automation on, runs it, and calls the run off while it waits for an answer. */
export async function automations(notebook: Notebook, key: string, conversationId: string): Promise<void> {
  const query = { tenantId };
  const params = { automation: 'ask-satisfaction' };
  await notebook.ask('automations.listDefinitions', { key, query });
  const set = { enabled: true, params: { badUpTo: 2, texts: { thanks: 'Thank you, {name}!' } } };
  await notebook.ask('automations.set', { key, params, body: { tenantId, ...set } });
  await notebook.ask('automations.list', { key, query });
  await notebook.ask('automations.read', { key, params, query });
  const forAll = { params: { automation: 'nudge-unread' }, key };
  await notebook.ask('automations.setDefault', { ...forAll, body: { enabled: true, params: { afterHours: 48 } } });
  await notebook.ask('automations.listDefaults', { key });
  await notebook.ask('automations.readDefault', forAll);
  await notebook.look('automations.set', { ...forAll, body: { tenantId, enabled: false } });
  await notebook.ask('automations.followDefault', { ...forAll, query });
  await notebook.look('automations.setDefault', { ...forAll, body: { enabled: false } });
  const released = { event: 'conversation.released', at: '2026-03-02T09:00:00Z' };
  const answered = { event: 'message', from: 'contact', at: '2026-03-02T09:05:00Z', text: '4' };
  const tried = { tenantId, events: [released, answered], contactName: 'Ada' };
  await notebook.ask('automations.dryRun', { key, params, body: tried });
  const run = await notebook.ask('automations.run', { key, body: { tenantId, ...params, conversationId } });
  const { id } = Made.parse(run.body);
  await eventually(
    async () => {
      const { body } = await notebook.look('automations.readExecution', { key, params: { id }, query });
      return z.object({ waitsFor: z.string().nullable() }).parse(body).waitsFor === 'reply';
    },
    { what: 'a run that waits' },
  );
  await notebook.ask('automations.readExecution', { key, params: { id }, query });
  await notebook.ask('automations.listExecutions', { key, query });
  await notebook.ask('automations.cancelExecution', { key, params: { id } });
  const again = await notebook.ask('automations.retryExecution', { key, params: { id } });
  const second = { id: Made.parse(again.body).id };
  const because = { actor: 'ann', reason: 'He called.' };
  await notebook.ask('automations.skipWait', { key, params: second, body: because });
  await notebook.ask('automations.handOverExecution', { key, params: second, body: { ...because, assignee: 'ann' } });
  const who = { agencyId: 'acme', actor: 'ann', reason: 'A text is wrong.' };
  await notebook.ask('adminAutomations.stop', { key: MASTER_KEY, body: who });
  await notebook.ask('adminAutomations.list', { key: MASTER_KEY });
  await notebook.ask('adminAutomations.resume', { key: MASTER_KEY, body: who });
  await notebook.ask('automations.set', { key, params, body: { tenantId, enabled: false } });
  await notebook.ask('automations.cancelByKey', { key, body: { tenantId, ...params, key: 'appointment-17' } });
  const person = { ref: '+15550100999' };
  await notebook.ask('contacts.optOut', { key, params: person, body: { tenantId } });
  await notebook.ask('contacts.listOptOuts', { key, query });
  await notebook.ask('contacts.optIn', { key, params: person, query });
}
