// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import { Resource } from '../../resource.ts';
import type { InboxContext } from './answered.ts';
import type { ReadInboxContext } from './given.ts';

export class AgentContextCalls extends Resource {
  /** Read the agent's prompt for a conversation */
  read(body: ReadInboxContext, options?: CallOptions): Promise<InboxContext> {
    return this.caller.call({ method: 'POST', path: '/api/v1/ai/inbox-context', body, takes: 'tenant' }, options);
  }
}
