import { describe, expect, it } from '@jest/globals';
import {
  insteadOf,
  openSentenceOf,
  restOf,
  sentenceOf,
  templateOf,
  toneOf,
} from '../../../packages/console/pages/automations/sentences.ts';
import type { AnyStep } from '../../../packages/console/pages/automations/sentences.ts';
import { timesOf } from '../../../packages/console/pages/automations/words.ts';

const step = (name: string, detail: AnyStep['detail'] = {}): AnyStep => ({ name, detail });
const ended = (...steps: AnyStep[]) => ({ steps, isOver: true });
const underWay = (...steps: AnyStep[]) => ({ steps, isOver: false });

const sent = (id: string): AnyStep => step('send', { messageId: id });
const replied = step('waitForReply', { messageId: 'msg_9', choice: 'yes' });
const unheard = step('waitForReply', { messageId: null, choice: null });
const handed = step('assignHuman', { epoch: 2 });

const handedNowhere = 'Hand over to a person: not done, the conversation no longer exists';
const acked = (detail: AnyStep['detail']) =>
  step('waitForAck', { waitsFor: 'ack', messageId: 'msg_1', level: 'read', ...detail });
const open = (name: string): AnyStep => ({ ...step(name), endedAt: null });

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
    [step('waitForAck', { messageId: null, choice: null }), 'The message did not reach that state in time'],
    [step('waitForAck', { messageId: 'msg_1', choice: 'failed' }), 'The message failed'],
    [step('waitForAck', { messageId: 'msg_1', choice: 'cancelled' }), 'The message was cancelled'],
    [step('waitForAck', { skipped: true, messageId: null }), 'Waited for a message until a person skipped it'],
    [
      step('label', { failed: 'label_unknown' }),
      'Change a label: failed. The account has no label with this name. Create the label on the phone.',
    ],
    [step('remember', { refused: 'no_contact' }), 'Save a memory: not done, the conversation has no contact'],
    [step('assignHuman', { refused: 'no_conversation' }), handedNowhere],
    [step('release', { epoch: null }), 'Left the conversation with its person'],
    [step('release', { epoch: 3 }), 'Gave back to the agent'],
    [step('sleep', { messageId: null, choice: null }), 'Waited'],
    [step('log', { word: 'no_price' }), 'Noted “no_price”'],
    [step('aNewStep'), 'A new step'],
  ])('says %j', (given, sentence) => {
    expect(sentenceOf(given)).toBe(sentence);
  });

  it('tells a rehearsed wait by whether the message came that far', () => {
    expect(sentenceOf(acked({ hasCome: false }), 'would')).toBe('The message was not read');
    expect(sentenceOf(acked({ hasCome: true }), 'would')).toBe('The message was read');
    expect(sentenceOf(acked({}), 'would')).toBe('Would wait until the message is read');
  });

  it('has the good mark only where it did its work', () => {
    expect(toneOf(step('label', { labelId: '1' }))).toBe('good');
    expect(toneOf(step('label', { failed: 'label_unknown' }))).toBe('bad');
    expect(toneOf(step('send', { refused: 'opted_out' }))).toBe('warn');
    expect(toneOf(step('release', { epoch: null }))).toBe('warn');
    expect(toneOf(step('waitForAck', { messageId: 'msg_1', choice: 'failed' }))).toBe('bad');
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
    // Only the agent reads a memory, so its words stand in no quote.
    expect(restOf(step('remember', { says: 'Likes blue' }))).toBe('Text: Likes blue');
  });

  it('counts the runs of a rehearsal, and says when there may be more', () => {
    expect(timesOf({ runs: [1], isCut: false })).toBe('once');
    expect(timesOf({ runs: [1, 2], isCut: true })).toBe('at least 2 times');
  });

  it('is conditional in a rehearsal', () => {
    expect(sentenceOf(step('send', { text: 'greeting' }), 'would')).toBe('Would send the text “greeting”');
    expect(sentenceOf(step('label', { label: 'VIP', mode: 'remove' }), 'would')).toBe('Would remove the label “VIP”');
  });

  it('has the words of the settings where the message cannot be read', () => {
    const params = { texts: { greeting: 'Hello {name}' } };
    expect(templateOf(step('send', { messageId: 'msg_1', text: 'greeting' }), params)).toBe('Hello {name}');
    expect(templateOf(step('send', { text: 'greeting', refused: 'opted_out' }), params)).toBeNull();
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

  it('waits with a step that has not ended, on either side', () => {
    const waiting = open('waitForReply');
    expect(insteadOf(ended(sent('a'), unheard), [underWay(sent('b'), waiting)]).size).toBe(0);
    expect(insteadOf(underWay(sent('a'), waiting), [ended(sent('b'), unheard)]).size).toBe(0);
    expect([...insteadOf(ended(sent('a'), waiting), [ended(sent('b'), unheard)])]).toEqual([
      [1, [{ sentence: 'Nobody replied', runs: 1 }]],
    ]);
  });
});
