import { z } from 'zod';
import type { Notebook } from './notebook.ts';
import { Made, tenantId } from './scene.ts';

const Workflow = z.object({ id: z.string(), automation: z.string() });
const Hook = z.object({ url: z.string(), secret: z.string() });

const CART = {
  document: { dsl: '1.0.0', namespace: 'shop', name: 'lost-cart', version: '1.0.0', title: 'Lost cart' },
  evaluate: { language: 'cel' },
  schedule: { on: { one: { with: { type: 'webhook' } } } },
  do: [
    { wait: { wait: { hours: 2 } } },
    { remind: { call: 'send', with: { text: 'Hello ${ contact.name }, your cart still has ${ input.article }.' } } },
  ],
};

/** Defines a workflow, switches it on for a tenant, has another system start it, and deletes it. */
export async function workflows(notebook: Notebook, key: string): Promise<void> {
  const query = { tenantId };
  await notebook.ask('workflows.listFunctions', { key });
  await notebook.ask('workflows.listTemplates', { key });
  const wrong = { ...CART, do: [{ remind: { call: 'sing', with: {} } }] };
  await notebook.ask('workflows.validate', { key, body: { definition: wrong } });
  const made = await notebook.ask('workflows.create', { key, body: { definition: CART } });
  const { id, automation } = Workflow.parse(made.body);
  await notebook.ask('workflows.list', { key });
  await notebook.ask('workflows.read', { key, params: { id } });
  await notebook.ask('workflows.update', { key, params: { id }, body: { definition: CART } });
  const host = 'shop.example';
  const secret = { key, params: { name: 'orderApi' } };
  await notebook.ask('workflowSecrets.set', { ...secret, body: { host, value: 'a secret of the shop' } });
  await notebook.ask('workflowSecrets.list', { key });
  await notebook.ask('workflowSecrets.delete', secret);
  const params = { automation };
  await notebook.look('automations.set', { key, params, body: { tenantId, enabled: true } });
  const hook = Hook.parse((await notebook.ask('workflows.makeHook', { key, params, body: { tenantId } })).body);
  await notebook.ask('workflows.post', {
    params: { id: hook.url.split('/').at(-1) ?? '' },
    headers: { authorization: `Bearer ${hook.secret}` },
    body: { to: '+15550100999', key: 'cart-17', data: { article: 'a dinghy' } },
  });
  await notebook.ask('workflows.deleteHook', { key, params, query });
  const copied = await notebook.ask('workflows.copy', { key, params: { id }, body: {} });
  await notebook.look('workflows.delete', { key, params: { id: Made.parse(copied.body).id } });
  await notebook.ask('workflows.delete', { key, params: { id }, query: { runs: 'end' } });
}
