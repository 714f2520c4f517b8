import { until } from '../../demo/until.ts';
import { accept } from './accept.ts';
import type { Fault } from '../scene.ts';
import { newRequest, TEXT } from '../sends/ways.ts';

const PEOPLE = 4;
const LINES = 4;
/** The magic number of contacts who reply under a hidden id, first without their phone number and then with it. */
const HIDES_NUMBER = '0015';
const BROKEN = 6;

/** Lets two conversations turn out to be one while messages to them are on their way. */
export const TWO_IDENTITIES: Fault = {
  name: 'two-identities',
  title: 'people hide their number and then show both, while sends to them are on their way',
  short: 'never',
  async strike({ ground, ledger, round, random }) {
    const { sandbox, accounts, fileUrl } = ground;
    await sandbox.arm({ route: 'sendText', kind: 'dropAfter', count: BROKEN });
    const lines = Array.from({ length: LINES }, (_, index) => index + 1);
    const write = async (account: (typeof accounts)[number], index: number, person: number): Promise<void> => {
      for (const line of lines) {
        const text = `round ${round}, account ${index + 1}, hidden ${person}, line ${line}`;
        const to = `+1${200 + (round % 700)}${570 + person}${HIDES_NUMBER}`;
        await accept(ground, ledger, newRequest({ round, account, to, text }, { fileUrl, random }, TEXT));
        ledger.inbound.push({ round, text: `You said: ${text}` });
      }
    };
    await Promise.all(
      accounts.flatMap((account, index) =>
        Array.from({ length: PEOPLE }, (_, person) => write(account, index, person)),
      ),
    );
    const wanted = PEOPLE * LINES * accounts.length;
    const replies = (): number =>
      ground.receiver
        .events('message')
        .filter(({ payload }) => String(payload['body']).startsWith(`You said: round ${round},`)).length;
    await until('the replies of those who hide their number', () => replies() >= wanted, 120_000);
    await sandbox.disarm();
    return `${PEOPLE * accounts.length} people replied to ${LINES} messages each`;
  },
};
