import { describe, expect, it } from '@jest/globals';
import {
  insteadOf,
  openSentenceOf,
  restOf,
  sentenceOf,
  templateOf,
} from '../../../packages/console/pages/automations/sentences.ts';
import type { AnyStep } from '../../../packages/console/pages/automations/sentences.ts';

const step = (name: string, detail: AnyStep['detail'] = {}): AnyStep => ({ name, detail });
const ended = (...steps: AnyStep[]) => ({ steps, isOver: true });
const underWay = (...steps: AnyStep[]) => ({ steps, isOver: false });

const sent = (id: string): AnyStep => step('send', { messageId: id });
const replied = step('waitForReply', { messageId: 'msg_9', choice: 'yes' });
const unheard = step('waitForReply', { messageId: null, choice: null });
const handed = step('assignHuman', { epoch: 2 });

describe('a step as a sentence', () => {
  it.each([
    [step('isOpen', { isOpen: true, opensInMs: null }), 'It is within the working hours'],
    [step('isOpen', { isOpen: false, opensInMs: 7_200_000 }), 'It is outside the working hours for another 2 h'],
    [sent('msg_1'), 'Sent a message'],
    [step('send', { refused: 'opted_out' }), 'Sent nothing: the customer wants no more messages'],
    [replied, 'The customer replied: yes'],
    [unheard, 'Nobody replied'],
    [step('waitForReply'), 'Waits for a reply'],
    [step('waitForReply', { messageId: null, skipped: true }), 'Waited for a reply until a person skipped it'],
    [step('waitForAck', { messageId: 'msg_1', choice: 'read' }), 'The message was read'],
    [step('waitForAck', { messageId: null, choice: null }), 'The message was not delivered'],
    [step('sleep', { messageId: null, choice: null }), 'Waited'],
    [step('log', { word: 'no_price' }), 'Noted “no_price”'],
    [step('aNewStep'), 'A new step'],
  ])('says %j', (given, sentence) => {
    expect(sentenceOf(given)).toBe(sentence);
  });

  it('claims nothing of a step that has not ended', () => {
    expect(openSentenceOf(sent('msg_1'), true)).toBe('Send a message: not done');
    expect(openSentenceOf(step('sleep'), false)).toBe('Wait …');
  });

  it('leaves out of the rest what it says itself, and the ids of rows', () => {
    expect(restOf(step('isOpen', { isOpen: true, opensInMs: null }))).toBe('');
    expect(restOf(step('send', { messageId: 'msg_dry_run_2', text: 'greeting', says: 'Hello' }))).toBe('');
    expect(restOf(step('send', { messageId: 'msg_1', buttons: ['Yes', 'No'] }))).toBe('Buttons: Yes, No');
    expect(restOf(step('callWebhook', { status: 200 }))).toBe('Response: 200');
  });

  it('is conditional in a rehearsal', () => {
    expect(sentenceOf(step('send', { text: 'greeting' }), 'would')).toBe('Would send the text “greeting”');
    expect(sentenceOf(step('label', { label: 'VIP', mode: 'remove' }), 'would')).toBe('Would remove the label “VIP”');
  });

  it('has the words of the settings where the message cannot be read', () => {
    const params = { texts: { greeting: 'Hello {name}' } };
    expect(templateOf(step('send', { text: 'greeting' }), params)).toBe('Hello {name}');
    expect(templateOf(step('send', { text: 'other' }), params)).toBeNull();
    expect(templateOf(step('sleep', { text: 'greeting' }), params)).toBeNull();
  });
});

describe('what other runs did instead', () => {
  it('stands at the step where each left the way of this one, the most frequent first', () => {
    const run = ended(sent('msg_1'), replied);
    const found = insteadOf(run, [
      ended(sent('msg_2'), unheard, handed),
      ended(sent('msg_3'), unheard),
      ended(sent('msg_4')),
      ended(sent('msg_5'), replied),
    ]);
    expect([...found]).toEqual([
      [
        1,
        [
          { sentence: 'Nobody replied', runs: 2 },
          { sentence: 'Ended here', runs: 1 },
        ],
      ],
    ]);
  });

  it('stands behind the end where others went on', () => {
    expect([...insteadOf(ended(sent('msg_1')), [ended(sent('msg_2'), handed)])]).toEqual([
      [1, [{ sentence: 'Handed over to a person', runs: 1 }]],
    ]);
  });

  it('counts neither ids nor the time until a door opens, nor what is still under way', () => {
    const closed = (ms: number) => step('isOpen', { isOpen: false, opensInMs: ms });
    expect(insteadOf(ended(closed(1_000), sent('a')), [ended(closed(9_000), sent('b'))]).size).toBe(0);
    expect(insteadOf(ended(sent('a'), handed), [underWay(sent('b'))]).size).toBe(0);
    expect(insteadOf(underWay(sent('a')), [ended(sent('b'), handed)]).size).toBe(0);
  });
});
