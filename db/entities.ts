import { Agency } from './tenants/agency.ts';
import { ApiKey } from './tenants/api-key.ts';
import { Contact } from './conversations/contact.ts';
import { Conversation } from './conversations/conversation.ts';
import { Memory } from './agent/memory.ts';
import { Message } from './conversations/message.ts';
import { Session } from './sessions/session.ts';
import { Tenant } from './tenants/tenant.ts';
import { Turn } from './agent/turn.ts';

/** Records that are read one by one. Queues, logs and endpoints, which several tables make, are SQL alone. */
export const entities = [Agency, ApiKey, Contact, Conversation, Memory, Message, Session, Tenant, Turn];
