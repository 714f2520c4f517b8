import { z } from 'zod';
import { workflowId } from '../../../domain/names.ts';
import { historyText } from '../../replay/histories.ts';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency, Answer } from '../../support/client.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { personWrites, textsSeenBy } from '../../support/sandbox-record.ts';

const Made = z.object({ id: z.string(), automation: z.string(), version: z.int() });
const Story = z.object({
  id: z.string(),
  automation: z.string(),
  version: z.int().nullable(),
  status: z.string(),
  reason: z.string().nullable(),
  waitsFor: z.string().nullable(),
  conversationId: z.string().nullable(),
  steps: z.array(
    z.object({ name: z.string(), path: z.string().nullable(), detail: z.record(z.string(), z.unknown()) }),
  ),
});
export type Story = z.infer<typeof Story>;
const Executions = z.object({ executions: z.array(Story.omit({ steps: true })) });

/** A definition with these tasks. */
export const definitionOf = (tasks: readonly object[], more: object = {}): object => ({
  document: { dsl: '1.0.0', namespace: 'shop', name: 'tried', version: '1.0.0', title: 'Tried' },
  evaluate: { language: 'cel' },
  ...more,
  do: tasks,
});

export type FlowScene = Awaited<ReturnType<typeof aFlowScene>>;

/** An agency that defines workflows, and people who write to it. */
export async function aFlowScene(engine: TestEngine, agencyId: string) {
  const agency: Agency = await anAgencyWithScopedKey(engine, { agencyId });
  const { tenantId, dashboardKey: key } = agency;
  // Numbers with low endings have a meaning to the sandbox.
  let person = 100;

  const ask = (method: string, path: string, body: object = {}): Promise<Answer> =>
    ['GET', 'DELETE'].includes(method)
      ? call(engine, method, path, { key })
      : call(engine, method, path, { key, body });
  const ofTenant = (method: string, path: string, body: object = {}): Promise<Answer> =>
    method === 'GET' ? ask(method, `${path}?tenantId=${tenantId}`) : ask(method, path, { tenantId, ...body });

  return {
    agency,
    ask,
    ofTenant,
    someone: (): string => `1555020${String((person += 1)).padStart(4, '0')}`,
    says: (from: string, text: string): Promise<string> =>
      personWrites(engine, agency.session.name, { from, text, pushName: 'Ada' }),
    heard: (from: string): Promise<string[]> => textsSeenBy(engine, agency.session.name, `${from}@c.us`),

    async create(definition: object): Promise<z.infer<typeof Made>> {
      const { status, body } = await ask('POST', '/api/v1/workflows', { definition });
      if (status !== 201) throw new Error(`The workflow was refused: ${JSON.stringify(body)}`);
      return Made.parse(body);
    },
    enable: (automation: string, params?: object): Promise<Answer> =>
      ofTenant('PUT', `/api/v1/automations/${automation}`, { enabled: true, ...(params ? { params } : {}) }),

    /** Lets a contact write, and answers the conversation. */
    async conversationWith(from: string): Promise<string> {
      await personWrites(engine, agency.session.name, { from, text: 'Good morning', pushName: 'Ada' });
      const Chats = z.object({ chats: z.array(z.object({ conversationId: z.string(), chatId: z.string() })) });
      return eventually(async () => {
        const { chats } = Chats.parse((await ofTenant('GET', '/api/v1/inbox/chats')).body);
        return chats.find(({ chatId }) => chatId.startsWith(from))?.conversationId;
      });
    },
    async run(automation: string, conversationId: string, input?: object): Promise<string> {
      const body = { automation, conversationId, ...(input ? { input } : {}) };
      const begun = await ofTenant('POST', '/api/v1/automation-executions', body);
      if (begun.status !== 202) throw new Error(`The run was refused: ${JSON.stringify(begun.body)}`);
      return z.object({ id: z.string() }).parse(begun.body).id;
    },
    async runsOf(automation: string) {
      const { body } = await ofTenant('GET', '/api/v1/automation-executions');
      return Executions.parse(body).executions.filter((each) => each.automation === automation);
    },
    storyOf,
    async until(id: string, wanted: Partial<Pick<Story, 'status' | 'reason' | 'waitsFor'>>): Promise<Story> {
      let last: Story | undefined;
      return eventually(
        async () => {
          const story = (last = await storyOf(id));
          const isSo = Object.entries(wanted).every(([name, value]) => Reflect.get(story, name) === value);
          return isSo && story;
        },
        { what: () => `${JSON.stringify(wanted)}; the run is ${JSON.stringify(last)}` },
      );
    },
    /** Everything that Temporal holds of a run, as one text. */
    async historyOf(id: string): Promise<string> {
      const handle = engine.temporal.workflow.getHandle(workflowId('runAutomation', id));
      const text = historyText(await handle.fetchHistory());
      return text.replaceAll(/"data":"([A-Za-z0-9+/=]*)"/g, (_, data: string) =>
        Buffer.from(data, 'base64').toString(),
      );
    },
  };

  async function storyOf(id: string): Promise<Story> {
    return Story.parse((await ofTenant('GET', `/api/v1/automation-executions/${id}`)).body);
  }
}
