import { z } from 'zod';
import { recordChange } from '../../db/audit.ts';
import { deleteFlowSecret, listFlowSecrets, MAX_FLOW_SECRETS, setFlowSecret } from '../../db/flows/secret.ts';
import { invalid, notFound } from '../../domain/error.ts';
import { SecretName } from '../../domain/flows/index.ts';
import { AgencyField } from '../../domain/scope.ts';
import { defineRoute } from '../deps.ts';
import { NoContent } from '../wire/answer.ts';

const PATH = '/api/v1/workflow-secrets';
const MAX_VALUE_LENGTH = 4_096;

const Name = SecretName.meta({ description: 'The name by which definitions use it.', examples: ['orderApi'] });
const params = z.object({ name: Name });

const Host = z
  .string()
  .max(255)
  .regex(/^[a-z0-9.-]+(:\d{1,5})?$/i, 'must be a host, such as `shop.example` or `shop.example:8443`')
  .toLowerCase()
  .meta({ description: 'The only host that receives it, with its port unless it is 443.', examples: ['shop.example'] });

const SetSecret = z
  .strictObject({
    agencyId: AgencyField,
    host: Host,
    value: z
      .string()
      .min(1)
      .max(MAX_VALUE_LENGTH)
      .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII')
      .meta({ description: 'The secret. No request returns it. For `basic`, it is `user:password`.' }),
  })
  .meta({ id: 'SetWorkflowSecret', description: 'A secret for the HTTP requests of workflows.' });

const SecretView = z
  .object({ name: Name, host: Host, updatedAt: z.iso.datetime().meta({ description: 'When it was last set.' }) })
  .meta({ id: 'WorkflowSecret', description: "An agency's secret, without its value." });

export const workflowSecretRoutes = [
  defineRoute({
    method: 'GET',
    path: PATH,
    auth: 'agency',
    scope: 'read',
    operationId: 'workflowSecrets.list',
    summary: "List an agency's workflow secrets",
    reply: z.object({
      secrets: z.array(SecretView).meta({ description: 'The names of all secrets, in order.' }),
    }),
    async handle({ caller: { agencyId } }, { database }) {
      const found = await database.read((queries) => listFlowSecrets(queries, agencyId));
      return { secrets: found.map(({ updatedAt, ...secret }) => ({ ...secret, updatedAt: updatedAt.toISOString() })) };
    },
  }),

  defineRoute({
    method: 'PUT',
    path: `${PATH}/:name`,
    auth: 'agency',
    scope: 'keys',
    operationId: 'workflowSecrets.set',
    summary: 'Set a workflow secret',
    description:
      "Stores the secret encrypted, for the HTTP requests of the agency's workflows alone. " +
      `An agency has at most ${MAX_FLOW_SECRETS} of them.`,
    params,
    body: SetSecret,
    reply: SecretView,
    async handle({ caller, params: { name }, body: { host, value } }, { database }) {
      const { agencyId } = caller;
      return database.transaction(async (tx) => {
        const set = await setFlowSecret(tx, agencyId, { name, host, value });
        if (set === null) {
          const message = `is new, and the agency has ${MAX_FLOW_SECRETS} secrets`;
          throw invalid({ pointer: 'path/name', message }, 'Delete a secret first.');
        }
        const action = set.isNew ? 'created' : 'changed';
        await recordChange(tx, { of: { agencyId }, object: 'workflow_secret', objectId: name, action }, caller);
        return { name, host: set.host, updatedAt: set.updatedAt.toISOString() };
      });
    },
  }),

  defineRoute({
    method: 'DELETE',
    path: `${PATH}/:name`,
    auth: 'agency',
    scope: 'keys',
    operationId: 'workflowSecrets.delete',
    summary: 'Delete a workflow secret',
    description: 'Runs that need it fail from then on with `secret_missing`.',
    params,
    status: 204,
    reply: NoContent,
    errors: ['not_found'],
    async handle({ caller, params: { name } }, { database }) {
      const { agencyId } = caller;
      await database.transaction(async (tx) => {
        if (!(await deleteFlowSecret(tx, agencyId, name))) throw notFound('secret', 'path/name');
        const change = { of: { agencyId }, object: 'workflow_secret', objectId: name, action: 'deleted' } as const;
        await recordChange(tx, change, caller);
      });
      return undefined;
    },
  }),
];
