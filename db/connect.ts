import { EnabledAutomations } from './automations/enabled.ts';
import { startAutomations } from './automations/start.ts';
import { Database } from './engine/database.ts';
import type { DatabaseOptions, Subjects } from './engine/database.ts';
import { sendEvents } from './webhooks/event.ts';
import { Agency } from './tenants/agency.ts';
import { ApiKey } from './tenants/api-key.ts';
import { Contact } from './conversations/contact.ts';
import { Conversation } from './conversations/conversation.ts';
import { Memory } from './agent/memory.ts';
import { Message } from './conversations/message.ts';
import { Session } from './sessions/session.ts';
import { Tenant } from './tenants/tenant.ts';
import { Turn } from './agent/turn.ts';

/** An event that dashboards know starts automations only. */
const fanOutOf: Subjects['fanOutOf'] = (wakeups, onError) => {
  const automations = new EnabledAutomations(onError);
  wakeups.on('automation', (agencyId) => automations.forget(agencyId));
  return async (tx, events) => {
    await startAutomations(tx, automations, events);
    return sendEvents(
      tx,
      events.filter(({ isKnown }) => isKnown !== true),
    );
  };
};

/** Opens the database with all subjects: their entities, and the fan-out of their events. */
export function connectDatabase(options: DatabaseOptions): Promise<Database> {
  return Database.open(options, { entities, fanOutOf });
}

/**
 * The entities of MikroORM: records that are read one by one. Queues, logs and endpoints, whose data is in several
 * tables, are read by SQL alone.
 */
export const entities = [Agency, ApiKey, Contact, Conversation, Memory, Message, Session, Tenant, Turn];
