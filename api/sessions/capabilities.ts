import { canDo, CAPABILITY_NAMES, wordsOfCapability } from '../../domain/network/capabilities.ts';
import type { CapabilityName } from '../../domain/network/capabilities.ts';
import { SessionCapabilities } from '../../domain/session-capabilities.ts';
import { defineRoute } from '../deps.ts';
import { sessionInScope } from './session-in-scope.ts';
import { SessionPath } from './session-path.ts';

export const capabilityRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/sessions/:id/capabilities',
    auth: 'tenant',
    scope: 'read',
    operationId: 'sessions.readCapabilities',
    summary: 'List the capabilities of a session',
    description:
      "Returns what the session's engine and version support. Unsupported requests return 501 " +
      '`not_supported_by_engine`.\n\nButtons and lists are sent as numbered text instead.',
    params: SessionPath,
    reply: SessionCapabilities,
    errors: ['not_found', 'backend_unavailable', 'backend_error'],
    async handle({ scope, params }, { database, backends }) {
      const session = await sessionInScope(database, scope, params.id);
      // Whoever reads this may have upgraded the backend just now.
      const backend = backends.of(session);
      const { platform, version } = await backend.capabilities(session.platform, { isAskedAgain: true });
      const can = (name: CapabilityName): boolean => canDo(name, platform, version);
      const stated = (name: CapabilityName) => ({
        supported: can(name),
        instead: can(name) ? null : wordsOfCapability(name).instead,
      });
      const capabilities = Object.fromEntries(CAPABILITY_NAMES.map((name) => [name, stated(name)]));
      return { sessionId: session.id, platform, version, capabilities };
    },
  }),
];
