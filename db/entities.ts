import { Agency } from './agency.ts';
import { ApiKey } from './api-key.ts';
import { Contact } from './contact.ts';
import { Conversation } from './conversation.ts';
import { Endpoint } from './endpoint.ts';
import { Memory } from './memory.ts';
import { Message } from './message.ts';
import { Session } from './session.ts';
import { Tenant } from './tenant.ts';
import { Turn } from './turn.ts';

/** Records that are read one by one. Queues and logs (dispatch, delivery, history, attempts) are SQL alone. */
export const entities = [Agency, ApiKey, Contact, Conversation, Endpoint, Memory, Message, Session, Tenant, Turn];
