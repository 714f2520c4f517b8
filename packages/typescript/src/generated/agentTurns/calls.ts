// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import type { Listed } from '../../listed.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { AgentTurnsListAnswer } from './answered.ts';
import type { AgentTurnsListQuery, AgentTurnsReadQuery } from './given.ts';
import type { Turn } from '../shared/answered.ts';

export class AgentTurnsCalls extends Resource {
  /** List the agent's turns in a conversation */
  list(
    conversationId: string,
    query: AgentTurnsListQuery = {},
    options?: CallOptions,
  ): Listed<AgentTurnsListAnswer, Turn> {
    return this.caller.list(
      { method: 'GET', path: path`/api/v1/conversations/${conversationId}/turns`, query, takes: 'tenant' },
      (page) => page.turns,
      options,
    );
  }

  /** Read a turn of the agent */
  read(conversationId: string, turnId: string, query: AgentTurnsReadQuery = {}, options?: CallOptions): Promise<Turn> {
    return this.caller.call(
      { method: 'GET', path: path`/api/v1/conversations/${conversationId}/turns/${turnId}`, query, takes: 'tenant' },
      options,
    );
  }
}
