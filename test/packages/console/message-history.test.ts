import { describe, expect, test } from '@jest/globals';
import {
  mayCancel,
  mayResolve,
  maySendAgain,
  storyOf,
  summaryOf,
} from '../../../packages/console/pages/message/message-history.ts';

type Status = Parameters<typeof summaryOf>[0];

const status = (more: Partial<Status>): Status => ({
  messageId: 'msg_1',
  conversationId: 'cnv_1',
  sessionId: 'ses_1',
  to: '15550100020',
  body: 'Hello',
  replyTo: null,
  requestId: null,
  groupId: null,
  kind: 'text',
  status: 'queued',
  bulk: false,
  resendOf: null,
  scheduledFor: null,
  expiresAt: null,
  heldBy: null,
  heldUntil: null,
  renderedAs: null,
  media: null,
  ack: null,
  ackName: null,
  timestamps: {
    queued: '2026-03-02T09:30:00.000Z',
    sent: null,
    delivered: null,
    read: null,
    played: null,
    ended: null,
  },
  attempts: 0,
  history: [],
  workflowId: null,
  ...more,
});

const entry = (
  state: Status['history'][number]['status'],
  second: number,
  reason: string | null = null,
): Status['history'][number] => ({
  status: state,
  at: `2026-03-02T09:30:0${second}.000Z`,
  reason,
  text: null,
  detail: null,
  actor: null,
  keyId: null,
});

describe('the story of a message', () => {
  test('is in the order of time, with who was told and what was done to it', () => {
    const message = status({
      status: 'delivered',
      history: [
        { ...entry('queued', 0, 'pace'), text: 'It waits for the pace of its session.' },
        entry('sending', 2),
        entry('sent', 3),
        entry('delivered', 5),
      ],
    });
    const told = [
      {
        id: 'evt_1',
        type: 'message.ack',
        createdAt: '2026-03-02T09:30:04.000Z',
        deliveries: [{ endpointId: 'whe_1', status: 'failed' as const, attempts: 3, lastStatus: 500 }],
      },
    ];
    const story = storyOf(message, [], told);
    expect(story.map(({ title }) => title)).toEqual(['Waiting', 'Sending', 'Sent', 'Event message.ack', 'Delivered']);
    expect(story[0]?.text).toBe('It waits for the pace of its session.');
    expect(story[3]?.text).toBe('whe_1: dead-lettered after 3 attempts, last response 500');
  });

  test('of one moment, says what it became before who was told of it', () => {
    const message = status({ history: [entry('failed', 1, 'not_on_network')] });
    const told = [{ id: 'evt_1', type: 'message.ack', createdAt: '2026-03-02T09:30:01.000Z', deliveries: [] }];
    expect(storyOf(message, [], told).map(({ title }) => title)).toEqual(['Not sent', 'Event message.ack']);
  });

  test('says in one sentence why it did not arrive', () => {
    const failed = status({
      status: 'failed',
      error: { code: 'not_on_network', message: 'The number is not on the network.' },
    });
    expect(summaryOf(failed)).toBe(
      'It was not sent, and the engine will not try again. The number is not on the network.',
    );
    expect(summaryOf(status({ heldBy: 'session_not_working' }))).toBe('It waits until the account is connected again.');
  });

  test('offers what can be done in its state, and nothing else', () => {
    const states = ['scheduled', 'queued', 'sending', 'sent', 'failed', 'uncertain', 'cancelled'] as const;
    const offered = (may: (message: Status) => boolean): string[] =>
      states.filter((state) => may(status({ status: state })));
    expect(offered(mayCancel)).toEqual(['scheduled', 'queued']);
    expect(offered(maySendAgain)).toEqual(['failed', 'cancelled']);
    expect(offered(mayResolve)).toEqual(['uncertain']);
  });
});
