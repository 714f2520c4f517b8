/** Makes the chat id that a caller means: plain digits get `@c.us`, and the network's inner form is translated. */
export function toChatId(text: string): string {
  if (text.endsWith('@s.whatsapp.net')) return text.replace('@s.whatsapp.net', '@c.us');
  return text.includes('@') ? text : `${text.replace(/\D/g, '')}@c.us`;
}

/** Makes the form of a chat id that the network's own objects (`_data`, `key`) carry. */
export const toJid = (chatId: string): string => chatId.replace('@c.us', '@s.whatsapp.net');

export const isGroup = (chatId: string): boolean => chatId.endsWith('@g.us');

export const isLid = (chatId: string): boolean => chatId.endsWith('@lid');

/** Returns the part of a chat id before the `@`. */
export const userOf = (chatId: string): string => chatId.split('@')[0] ?? chatId;
