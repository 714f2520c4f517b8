// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { CallOptions } from '../../options.ts';
import { Resource } from '../../resource.ts';
import type { Mirror } from './answered.ts';
import type { UpdateMirror, WebhookMirrorReadQuery } from './given.ts';

export class WebhookMirrorCalls extends Resource {
  /** Read which inboxes of an agency are mirrored */
  read(query: WebhookMirrorReadQuery = {}, options?: CallOptions): Promise<Mirror> {
    return this.caller.call({ method: 'GET', path: '/api/v1/webhooks/mirror', query, takes: 'agency' }, options);
  }

  /** Mirror inboxes by pull or stream */
  update(body: UpdateMirror, options?: CallOptions): Promise<Mirror> {
    return this.caller.call({ method: 'PUT', path: '/api/v1/webhooks/mirror', body, takes: 'agency' }, options);
  }
}
