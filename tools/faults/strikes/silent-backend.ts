import { until } from '../../demo/until.ts';
import { accept } from './accept.ts';
import type { Fault } from '../scene.ts';
import { BUTTONS, LIST, newRequest } from '../sends/ways.ts';

const OF_EACH = 6;
const LOSSES = ['dropAfter', 'status500After', 'drop'];

/**
 * Loses answers of native buttons and lists on NOWEB, of which the backend shows nothing but their acks: no event, and
 * no row in the chat.
 */
export const SILENT_BACKEND: Fault = {
  name: 'silent-backend',
  title: 'answers of native buttons and lists are lost, and the backend shows none of them',
  short: 'always',
  async strike({ ground, ledger, round, short, random }) {
    const { sandbox, fileUrl } = ground;
    const account = ground.accounts.find(({ engine }) => engine === 'NOWEB');
    if (!account) throw new Error('No account of NOWEB is connected.');
    const { session } = account;
    const before = (await sandbox.sends(session)).length;
    // A send without any sign becomes uncertain after five minutes, for which the short form has no time, so every ack
    // comes there.
    const losses = short ? LOSSES.slice(0, 2) : LOSSES;
    for (const route of ['sendButtons', 'sendList']) {
      for (const kind of losses) await sandbox.arm({ route, kind, session, count: OF_EACH / losses.length });
    }
    if (!short) await sandbox.arm({ webhook: 'lose', events: ['message.ack'], probability: 0.5 });
    const requests = [BUTTONS, LIST].flatMap((way, kind) =>
      Array.from({ length: OF_EACH }, (_, index) => {
        const to = `+1${200 + (round % 700)}556${1_000 + kind * 100 + index}`;
        const text = `round ${round}, ${kind === 0 ? 'buttons' : 'list'} ${index + 1}`;
        return newRequest({ round, account, to, text }, { fileUrl, random }, way);
      }),
    );
    await Promise.all(requests.map((request) => accept(ground, ledger, request)));
    const asked = async () =>
      (await sandbox.sends(session)).slice(before).filter(({ route }) => ['sendButtons', 'sendList'].includes(route))
        .length;
    await until('native buttons and lists to be hit', async () => (await asked()) >= 2 * OF_EACH);
    await sandbox.disarm();
    return short ? 'each was told by its acks' : 'half of their acks were lost, too';
  },
};
