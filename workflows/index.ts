export { aiConversation } from './ai-conversation.ts';
export { deliverMessage } from './deliver-message.ts';
export { deliverWebhooks } from './deliver-webhooks.ts';
export { reconcile } from './reconcile.ts';
export { rehearse } from './rehearse.ts';
export { superviseSession } from './supervise-session.ts';
export { syncHistory } from './sync-history.ts';
