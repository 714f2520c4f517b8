// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { WebhookDelivery } from '../shared/answered-2.ts';

export interface WebhookDeliveriesListAnswer {
  /** The deliveries of this page. */
  deliveries: WebhookDelivery[];
  /** True where more follow after these. */
  hasMore: boolean;
  /** Asks for the page after this one, as `cursor`. Null where this is the last. */
  nextCursor: string | null;
}
