import type { AckLevel } from '../../../domain/network/ack.ts';
import type { CallStatus } from '../../../domain/network/message-content.ts';

/**
 * Makes the key by which two events of a session are known as reports of one thing. The backend's own event ids cannot
 * tell this, because `message` and `message.any` carry one message under two ids.
 */
export const eventKeys = {
  message: (of: { fromMe: boolean; networkId: string }) => `message:${of.fromMe ? 'out' : 'in'}:${of.networkId}`,
  ack: (of: { networkId: string; level: AckLevel }) => `ack:${of.networkId}:${of.level}`,
  groupAck: (of: { networkId: string; reader: string; level: AckLevel }) =>
    `group-ack:${of.networkId}:${of.reader}:${of.level}`,
  read: (of: { networkId: string }) => `read:${of.networkId}`,
  session: (of: { status: string; at: number }) => `session:${of.status}:${of.at}`,
  presence: (of: { chatId: string; id: string }) => `presence:${of.chatId}:${of.id}`,
  revoked: (of: { networkId: string }) => `revoked:${of.networkId}`,
  edited: (of: { networkId: string; editId: string }) => `edited:${of.networkId}:${of.editId}`,
  // Two people may give their reactions the same id, because each phone makes its own.
  reaction: (of: { chatId: string; networkId: string }) => `reaction:${of.chatId}:${of.networkId}`,
  vote: (of: { chatId: string; networkId: string }) => `vote:${of.chatId}:${of.networkId}`,
  call: (of: { callId: string; status: CallStatus }) => `call:${of.callId}:${of.status}`,
  group: (of: { id: string }) => `group:${of.id}`,
  label: (of: { id: string }) => `label:${of.id}`,
  ignored: (of: { eventName: string; id: string }) => `ignored:${of.eventName}:${of.id}`,
};
