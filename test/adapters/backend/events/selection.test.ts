import { describe, expect, test } from '@jest/globals';
import { toNetworkMessage } from '../../../../adapters/backend/events/message.ts';
import { payloads } from './contract-payloads.ts';

const quoted = '3EB0785ED5B14F01C04FDE';
const contextInfo = { stanzaId: quoted, participant: '15551230000@s.whatsapp.net' };

function read(data: Record<string, unknown>, over: Record<string, unknown> = {}) {
  return toNetworkMessage({ ...payloads.direct, body: '', ...over, _data: data });
}

describe('what a person has pressed', () => {
  test.each([
    [
      'a button, NOWEB',
      { message: { buttonsResponseMessage: { selectedButtonId: 'b2', selectedDisplayText: 'No', contextInfo } } },
    ],
    [
      'a button, GOWS',
      {
        Message: {
          buttonsResponseMessage: {
            selectedButtonID: 'b2',
            Response: { SelectedDisplayText: 'No' },
            contextInfo: { stanzaID: quoted },
          },
        },
      },
    ],
    [
      'a button of a template',
      { message: { templateButtonReplyMessage: { selectedId: 'b2', selectedDisplayText: 'No', contextInfo } } },
    ],
    [
      'a row of a list, NOWEB',
      { message: { listResponseMessage: { title: 'No', singleSelectReply: { selectedRowId: 'b2' }, contextInfo } } },
    ],
    [
      'a row of a list, GOWS',
      {
        Message: {
          listResponseMessage: {
            title: 'No',
            singleSelectReply: { selectedRowID: 'b2' },
            contextInfo: { stanzaID: quoted },
          },
        },
      },
    ],
    [
      'a button of a flow, in a disappearing message',
      {
        message: {
          ephemeralMessage: {
            message: {
              interactiveResponseMessage: {
                body: { text: 'No' },
                nativeFlowResponseMessage: { name: 'quick_reply', paramsJson: '{"id":"b2"}' },
                contextInfo,
              },
            },
          },
        },
      },
    ],
  ])('%s', (_what, data) => {
    const chosen = { kind: 'text', body: 'No', selected: { id: 'b2', text: 'No' }, replyToNetworkId: quoted };
    expect(read(data)).toMatchObject(chosen);
  });

  test('WEBJS tells the id beside the words', () => {
    const replyTo = { id: `true_15551230000@c.us_${quoted}` };
    const message = read({ type: 'buttons_response', selectedButtonId: 'b2' }, { body: 'No', replyTo });
    expect(message).toMatchObject({ kind: 'text', selected: { id: 'b2', text: 'No' }, replyToNetworkId: quoted });
    expect(read({ type: 'list_response', selectedRowId: 'r1' }, { body: 'Red' })).toMatchObject({
      selected: { id: 'r1', text: 'Red' },
    });
    const listResponse = { title: 'Red', singleSelectReply: { selectedRowId: 'r1' } };
    for (const body of ['Red', null]) {
      expect(read({ type: 'list_response', listResponse }, { body })).toMatchObject({
        body: 'Red',
        selected: { id: 'r1', text: 'Red' },
      });
    }
  });

  test.each([
    ['a text', { message: { conversation: 'No' } }],
    ['a response without an id', { message: { buttonsResponseMessage: { selectedDisplayText: 'No' } } }],
    ['a flow whose parameters are no JSON', { message: { interactiveResponseMessage: { body: { text: 'x' } } } }],
    ['something odd', { message: { listResponseMessage: 7, buttonsResponseMessage: null } }],
  ])('%s chooses nothing', (_what, data) => {
    expect(read(data)).toMatchObject({ selected: null });
  });
});
