import { z } from 'zod';
import { DefinitionView } from '../../domain/automations/automation.ts';
import { Target } from '../../domain/scope.ts';
import { defineRoute } from '../deps.ts';

export const definitionRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/automation-definitions',
    auth: 'tenant',
    scope: 'read',
    operationId: 'automations.listDefinitions',
    summary: 'List the available automations',
    description: 'Automations are code of this release; an author adds one as a file.',
    query: z.object(Target),
    reply: z.object({
      definitions: z.array(DefinitionView).meta({ description: 'All automations, sorted by name.' }),
    }),
    handle(_call, { automations }) {
      const definitions = automations.list().map(({ name, definition }) => ({
        name,
        title: definition.title,
        description: definition.description,
        version: definition.version,
        params: z.toJSONSchema(definition.schema, { io: 'input' }),
        input: definition.input && z.toJSONSchema(definition.input, { io: 'input' }),
      }));
      return Promise.resolve({ definitions });
    },
  }),
];
