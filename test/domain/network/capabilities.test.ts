import { describe, expect, it } from '@jest/globals';
import { waysToSend } from '../../../adapters/backend/send/request.ts';
import {
  canDo,
  CAPABILITY_NAMES,
  notSupported,
  PLATFORMS,
  requireCapability,
} from '../../../domain/network/capabilities.ts';
import { OUTGOING_KINDS } from '../../../domain/sending/content.ts';
import type { OutgoingKind } from '../../../domain/sending/content.ts';
import { enginesUnableTo, isNativeOnly, kindNotSupported } from '../../../domain/sending/native/native-kinds.ts';
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

  it.each([
    ['2026.7.2', false],
    ['2026.8', true],
    ['2026.8.1', true],
    ['2026.10.1', true],
    ['2027.1', true],
    ['2025.12.9', false],
    ['newest', false],
    [null, false],
  ])('depends on the version of the backend where it came with one: %s', (version, isAble) => {
    expect([canDo('block', 'NOWEB', version), canDo('readAbout', 'noweb', version)]).toEqual([isAble, isAble]);
    expect([canDo('block', 'WEBJS', version), canDo('block', 'GOWS', version)]).toEqual([true, false]);
  });

  it.each(CAPABILITY_NAMES)('is refused with the way out that there is: %s', (name) => {
    const { code, message } = notSupported(name, 'NOWEB');
    expect(code).toBe('not_supported_by_engine');
    expect(message).toMatch(/^NOWEB cannot [a-z][^.]+\. [A-Z][^\n]+\.$/);
  });
});

/** The routes that every engine of the backend has. */
const EVERYWHERE = ['/api/sendText', '/api/sendImage', '/api/sendVideo', '/api/sendVoice', '/api/sendFile'];

/** The routes of the kinds that go natively or not at all. */
const NATIVE: Partial<Record<OutgoingKind, string[]>> = {
  location: ['/api/sendLocation'],
  contact: ['/api/sendContactVcard'],
  poll: ['/api/sendPoll'],
  forward: ['/api/forwardMessage'],
};

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
      location: { ...base, kind: 'location', location: { latitude: 1.5, longitude: 2.5, name: null } },
      contact: { ...base, kind: 'contact', contacts: [{ vcard: 'BEGIN:VCARD' }] },
      poll: { ...base, kind: 'poll', poll: { name: 'When?', options: ['a', 'b'], multipleAnswers: false } },
      forward: { ...base, kind: 'forward', forwarded: { networkId: 'N', fromMe: true, chatId, participant: null } },
    };
  };
  const chats = ['15557654321@c.us', '123456789012345@lid', '120363000000000000@g.us', '120363000000000001@newsletter'];

  // So it is not refused when it is accepted. A kind that fails for sure somewhere must be, with 501 and a way out.
  it.each(OUTGOING_KINDS)(
    'is refused when it is accepted, or fails for sure on no engine and in no chat: %s',
    (kind) => {
      for (const platform of [...PLATFORMS, 'NEWEST', null]) {
        if (platform !== null && enginesUnableTo([kind]).includes(platform)) continue;
        for (const chatId of chats) {
          const path = waysToSend(messagesTo(chatId)[kind], platform).at(-1)?.path;
          expect([...EVERYWHERE, ...(NATIVE[kind] ?? [])]).toContain(path);
        }
      }
    },
  );

  it('that goes natively or not at all is refused with a reason that names the engine', () => {
    expect(OUTGOING_KINDS.filter(isNativeOnly)).toEqual(['location', 'contact', 'poll', 'forward']);
    expect(enginesUnableTo(['text', 'poll'])).toEqual(['WEBJS']);
    expect(kindNotSupported(['forward'], 'GOWS').message).toMatch(/^GOWS cannot forward messages\. Send/);
    expect(() => requireCapability('stickers', null)).toThrow('The backend cannot send stickers.');
  });
});
