// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import { Resource } from '../../resource.ts';
import type { AgentState, AgentStateChanged } from './answered.ts';
import type { UpdateAgentState } from './given.ts';
import type { ReadAgent } from '../shared/given.ts';

export class AgentStateCalls extends Resource {
  /** Read the agent's state */
  read(body: ReadAgent = {}, options?: CallOptions): Promise<AgentState> {
    return this.caller.call({ method: 'POST', path: '/api/v1/ai-sales-agent/state', body, takes: 'tenant' }, options);
  }

  /** Update the agent's state */
  update(body: UpdateAgentState = {}, options?: CallOptions): Promise<AgentStateChanged> {
    return this.caller.call({ method: 'PUT', path: '/api/v1/ai-sales-agent/state', body, takes: 'tenant' }, options);
  }
}
