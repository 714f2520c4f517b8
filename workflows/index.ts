export { aiConversation } from './agent/ai-conversation.ts';
export { deliverMessage } from './sending/deliver-message.ts';
export { deliverSlice } from './sending/deliver-slice.ts';
export { deliverWebhooks } from './webhooks/deliver-webhooks.ts';
export { reconcile } from './reconcile.ts';
export { rehearse } from './agent/rehearse.ts';
export { superviseSession } from './sessions/supervise-session.ts';
export { syncHistory } from './sessions/sync-history.ts';
