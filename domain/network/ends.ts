import { shownAddress } from './chat-id.ts';

/** The two ends of a conversation, as the spec writes them: digits of a phone, else the chat id. */
export interface Ends {
  own: string;
  other: string;
  /** The phones of group members whose messages come under a hidden id. */
  phones: ReadonlyMap<string, string>;
}

export function endOf(chatId: string | null | undefined, phones?: ReadonlyMap<string, string>): string {
  return chatId ? shownAddress(chatId, phones?.get(chatId)) : '';
}
