import { describe, expect, it } from '@jest/globals';
import { conversationChat } from '../../../api/passthrough/sends/chat.ts';

describe('the chat that a client of the backend names', () => {
  it.each([
    ['15550180001', '15550180001@c.us'],
    ['15550180001@c.us', '15550180001@c.us'],
    ['15550180001@s.whatsapp.net', '15550180001@c.us'],
    ['15550180001:3@s.whatsapp.net', '15550180001@c.us'],
    ['77@lid', '77@lid'],
    ['120363000000000000@g.us', '120363000000000000@g.us'],
  ])('%s is the conversation %s', (named, chatId) => {
    expect(conversationChat(named)).toBe(chatId);
  });

  it.each(['1@newsletter', 'status@broadcast', '', 'somebody'])('%s is none', (named) => {
    expect(conversationChat(named)).toBeNull();
  });
});
