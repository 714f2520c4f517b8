import { z } from 'zod';
import { listStoredDefinitions } from '../../db/flows/definition.ts';
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
    description:
      "Automations are code of this release, and the agency's own workflows. An author adds code as a file; " +
      '`POST /api/v1/workflows` adds a workflow.',
    query: z.object(Target),
    reply: z.object({
      definitions: z.array(DefinitionView).meta({ description: 'All automations, sorted by name.' }),
    }),
    async handle({ scope }, { automations, database }) {
      const stored = await database.read((queries) => listStoredDefinitions(queries, scope.agencyId));
      const definitions = [...automations.list(), ...stored].map(({ name, definition }) => ({
        name,
        title: definition.title,
        description: definition.description,
        version: definition.version,
        params: z.toJSONSchema(definition.schema, { io: 'input' }),
        input: definition.input && z.toJSONSchema(definition.input, { io: 'input' }),
      }));
      return { definitions };
    },
  }),
];
