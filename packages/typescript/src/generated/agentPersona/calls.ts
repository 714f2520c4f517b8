// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import { Resource } from '../../resource.ts';
import type { PersonaChanged, PersonaView } from './answered.ts';
import type { UpdatePersona } from './given.ts';
import type { ReadAgent } from '../shared/given.ts';

export class AgentPersonaCalls extends Resource {
  /** Read the agent's persona */
  read(body: ReadAgent = {}, options?: CallOptions): Promise<PersonaView> {
    return this.caller.call({ method: 'POST', path: '/api/v1/ai-sales-agent/persona', body, takes: 'tenant' }, options);
  }

  /** Update the agent's persona */
  update(body: UpdatePersona = {}, options?: CallOptions): Promise<PersonaChanged> {
    return this.caller.call({ method: 'PUT', path: '/api/v1/ai-sales-agent/persona', body, takes: 'tenant' }, options);
  }
}
