import { describe, expect, it } from '@jest/globals';
import { waysToSend } from '../../../backend/send/request.ts';
import {
  canDo,
  CAPABILITY_NAMES,
  notSupported,
  PLATFORMS,
  requireCapability,
} from '../../../domain/network/capabilities.ts';
import { OUTGOING_KINDS } from '../../../domain/sending/content.ts';
import type { OutgoingKind } from '../../../domain/sending/content.ts';
import type { Outgoing } from '../../../domain/sending/outgoing.ts';

describe('what a session can', () => {
  it('depends on the engine behind it, however the backend writes its name', () => {
    expect(['NOWEB', 'noweb', 'GOWS', 'WEBJS'].map((platform) => canDo('buttons', platform))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(canDo('block', 'WEBJS')).toBe(true);
  });

  it('is what all engines can where its own is not known', () => {
    for (const platform of [null, 'NEWEST']) {
      expect(canDo('buttons', platform)).toBe(false);
      expect(canDo('profileName', platform)).toBe(true);
    }
  });

  it('is refused only where it would fail for sure', () => {
    expect(() => requireCapability('block', null)).not.toThrow();
    expect(() => requireCapability('block', 'NEWEST')).not.toThrow();
    expect(() => requireCapability('block', 'WEBJS')).not.toThrow();
    expect(() => requireCapability('block', 'gows')).toThrow('gows cannot block contacts.');
  });

  it.each(CAPABILITY_NAMES)('is refused with the way out that there is: %s', (name) => {
    const { code, message } = notSupported(name, 'NOWEB');
    expect(code).toBe('not_supported_by_engine');
    expect(message).toMatch(/^NOWEB cannot [a-z][^.]+\. [A-Z][^\n]+\.$/);
  });
});

/** The routes that every engine of the backend has. */
const EVERYWHERE = ['/api/sendText', '/api/sendImage', '/api/sendVideo', '/api/sendVoice', '/api/sendFile'];

describe('a send, of any kind', () => {
  const FILE = { data: Buffer.from('x'), mimeType: 'audio/ogg', fileName: 'a.ogg' };
  const LIST = { title: 'Sizes', button: 'Choose', sections: [{ title: 'All', rows: [{ title: 'S', rowId: 's' }] }] };
  const messagesTo = (chatId: string): Record<OutgoingKind, Outgoing> => {
    const base = { session: 's', chatId, networkId: null, replyTo: null, mentions: [] };
    return {
      text: { ...base, kind: 'text', text: 'Hello' },
      image: { ...base, kind: 'image', text: '', file: FILE },
      document: { ...base, kind: 'document', text: '', file: FILE },
      audio: { ...base, kind: 'audio', text: '', file: FILE },
      video: { ...base, kind: 'video', text: '', file: FILE },
      buttons: {
        ...base,
        kind: 'buttons',
        text: 'Well?',
        buttons: { buttons: [{ type: 'reply', text: 'Yes', id: 'y' }] },
      },
      list: { ...base, kind: 'list', text: 'Well?', list: LIST },
    };
  };
  const chats = ['15557654321@c.us', '123456789012345@lid', '120363000000000000@g.us', '120363000000000001@newsletter'];

  // So none is refused when it is accepted. A kind that fails for sure somewhere must be, with 501 and a way out.
  it.each(OUTGOING_KINDS)('fails for sure on no engine and in no chat: %s', (kind) => {
    for (const platform of [...PLATFORMS, 'NEWEST', null]) {
      for (const chatId of chats) {
        expect(EVERYWHERE).toContain(waysToSend(messagesTo(chatId)[kind], platform).at(-1)?.path);
      }
    }
  });
});
