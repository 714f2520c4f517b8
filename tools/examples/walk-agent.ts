import { z } from 'zod';
import { eventually } from '../../test/support/eventually.ts';
import type { TestEngine } from '../../test/support/engine.ts';
import type { Notebook } from './notebook.ts';
import { Made, tenantId } from './scene.ts';

const Noted = z.object({ contactId: z.string() });

interface Scene {
  key: string;
  session: { id: string; name: string };
  conversationId: string;
  contactId: string | null;
}

export async function agent(engine: TestEngine, notebook: Notebook, scene: Scene): Promise<void> {
  const { key, session, conversationId, contactId } = scene;
  const params = { conversationId };
  await notebook.ask('agentState.update', { key, body: { tenantId, enabled: true, mode: 'bot_active' } });
  await notebook.ask('agentState.read', { key, body: { tenantId } });
  const persona = { agentName: 'Ada', systemPrompt: 'You sell bicycles. Be brief and friendly.', quietPeriodMs: 100 };
  await notebook.ask('agentPersona.update', { key, body: { tenantId, ...persona } });
  await notebook.ask('agentPersona.read', { key, body: { tenantId } });
  await engine.control('POST', `/sessions/${session.name}/inbound`, {
    from: '15550100020',
    text: 'Do you have it in blue?',
  });
  await eventually(
    async () => {
      const { body } = await notebook.look('agentTurns.list', { key, params, query: { tenantId } });
      return z
        .array(z.object({ outcome: z.string() }))
        .parse(body['turns'])
        .some(({ outcome }) => outcome === 'reply');
    },
    { what: 'a turn that answers', withinMs: 60_000 },
  );
  const turns = await notebook.ask('agentTurns.list', { key, params, query: { tenantId } });
  const [turn] = z.array(Made).parse(turns.body['turns']);
  await notebook.ask('agentTurns.read', { key, params: { ...params, turnId: turn?.id ?? '' }, query: { tenantId } });
  const fact = { contactId, fact: 'Prefers blue bicycles', category: 'preference', source: 'manual', confidence: 0.9 };
  const memory = await notebook.ask('memories.create', { key, body: { tenantId, ...fact } });
  await notebook.ask('memories.create', { key, body: { tenantId, ...fact } });
  await notebook.ask('memories.list', { key, query: { tenantId, contactId: contactId ?? '' } });
  await notebook.ask('agentContext.read', { key, body: { tenantId, conversationId } });
  await notebook.ask('memories.delete', { key, params: { id: Made.parse(memory.body).id }, query: { tenantId } });
  const messages = [{ from: 'contact', text: 'Do you have it in blue?' }];
  const tried = { messages, persona: { agentName: 'Bo' } };
  const rehearsal = await notebook.ask('agentRehearsals.create', { key, body: { tenantId, ...tried } });
  await notebook.ask('agentRehearsals.read', {
    key,
    params: { id: Made.parse(rehearsal.body).id },
    query: { tenantId },
  });
}

export async function inbox(notebook: Notebook, key: string, conversationId: string): Promise<void> {
  const params = { conversationId };
  const query = { tenantId };
  await notebook.ask('conversations.list', { key, query });
  await notebook.ask('conversations.listMessages', { key, query: { ...query, limit: '3' }, params });
  await notebook.ask('conversations.markRead', { key, params, body: { tenantId, tellNetwork: true } });
  await notebook.ask('conversations.readPlan', { key, params, query: { ...query, kind: 'buttons' } });
  const reply = { tenantId, text: 'Yes, in blue and in green.', actor: 'person' };
  await notebook.ask('conversations.reply', { key, params, body: reply });
  await notebook.ask('conversations.reply', { key, params, body: reply, headers: { prefer: 'wait=10' } });
  const note = { text: 'Wants delivery before noon.', author: 'maria' };
  const noted = await notebook.ask('notes.create', { key, body: { tenantId, conversationId, ...note } });
  const ofNote = { key, params: { id: Made.parse(noted.body).id } };
  const { contactId } = Noted.parse(noted.body);
  await notebook.ask('notes.list', { key, query: { contactId } });
  await notebook.ask('notes.change', { ...ofNote, body: { text: 'Wants delivery before eleven.' } });
  await notebook.ask('notes.delete', ofNote);
  const viewer = { viewerId: 'tab-1', name: 'maria', state: 'reading' };
  await notebook.ask('conversations.showViewer', { key, params, body: viewer });
  await notebook.ask('conversations.listViewers', { key, params });
  await notebook.ask('conversations.listColleagues', { key, query });
  const assignment = { assignee: 'maria', reason: 'The customer asks for a discount.' };
  await notebook.ask('conversations.assign', { key, params, body: { tenantId, ...assignment } });
  await notebook.ask('conversations.release', { key, params, query, body: { actor: 'ann', reason: 'solved' } });
  await notebook.ask('conversations.settleOwed', { key, body: { tenantId, action: 'answer', actor: 'ann' } });
  await notebook.ask('conversations.read', { key, params, query });
  await notebook.ask('messages.search', { key, query: { ...query, q: 'blue', limit: '3' } });
}
