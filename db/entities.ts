import { Agency } from './tenants/agency.ts';
import { ApiKey } from './tenants/api-key.ts';
import { Contact } from './conversations/contact.ts';
import { Conversation } from './conversations/conversation.ts';
import { Memory } from './agent/memory.ts';
import { Message } from './conversations/message.ts';
import { Session } from './sessions/session.ts';
import { Tenant } from './tenants/tenant.ts';
import { Turn } from './agent/turn.ts';

/**
 * The entities of MikroORM: records that are read one by one. Queues, logs and endpoints, whose data is in several
 * tables, are read by SQL alone.
 */
export const entities = [Agency, ApiKey, Contact, Conversation, Memory, Message, Session, Tenant, Turn];
