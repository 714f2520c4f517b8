import { z } from 'zod';
import type { NetworkAccount } from '../../../domain/network/network-event.ts';
import { addressOf } from '../events/message-id.ts';
import { Address, Text } from '../events/raw.ts';

/** Reads `me` of a session or an event; null before login. */
export const Account = z
  .object({ id: Address, pushName: Text, lid: Address })
  .transform((me): NetworkAccount | null => {
    const chatId = addressOf(me.id);
    return chatId === null ? null : { chatId, pushName: me.pushName, lid: addressOf(me.lid) };
  })
  .nullable()
  .catch(null);
