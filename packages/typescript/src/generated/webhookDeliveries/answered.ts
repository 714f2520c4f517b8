// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { WebhookDelivery } from '../shared/answered-2.ts';

export interface WebhookDeliveriesListAnswer {
  /** The deliveries on this page. */
  deliveries: WebhookDelivery[];
  /** True if more rows follow. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}
