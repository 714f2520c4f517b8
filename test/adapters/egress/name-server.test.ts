import { createSocket } from 'node:dgram';
import type { Socket } from 'node:dgram';
import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createNameServer } from '../../../adapters/egress/name-server.ts';
import { networkFailureOf } from '../../../adapters/egress/network-failure.ts';

const A = 1;
const NS = 2;
const [NO_ERROR, SERVER_FAILURE, NO_SUCH_NAME] = [0, 2, 3];

/** An address, an answer's code, or silence. */
type Reply = string | number | null;

describe('the finder of addresses', () => {
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.close();
  });

  /**
   * A name server that answers as it is told; `asked` is all that it was asked for. Its answers must come within a third of
   * the time, also on a busy machine; where it is silent, the time is waited for.
   */
  async function aNameServer(reply: (name: string, type: number) => Reply, timeoutMs: number) {
    const socket = createSocket('udp4');
    const asked: string[] = [];
    socket.on('message', (query, { port, address }) => {
      const { name, type, end } = questionOf(query);
      asked.push(name);
      const given = reply(name, type);
      if (given === null) return;
      const isAddress = typeof given === 'string';
      const head = Buffer.alloc(12);
      query.copy(head, 0, 0, 2);
      head.writeUInt16BE(0x8180 | (isAddress ? NO_ERROR : given), 2);
      head.writeUInt16BE(1, 4);
      head.writeUInt16BE(isAddress ? 1 : 0, 6);
      const record = isAddress ? [0xc0, 12, 0, A, 0, 1, 0, 0, 0, 0, 0, 4, ...given.split('.').map(Number)] : [];
      socket.send(Buffer.concat([head, query.subarray(12, end), Buffer.from(record)]), port, address);
    });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    sockets.push(socket);
    const resolve = createNameServer({ servers: [`127.0.0.1:${socket.address().port}`], timeoutMs });
    const find = (name: string) =>
      new Promise<LookupAddress[] | string>((done) =>
        resolve(name, { all: true }, (error, addresses) => done(error ? networkFailureOf(error) : addresses)),
      );
    return { find, asked };
  }

  function questionOf(query: Buffer): { name: string; type: number; end: number } {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 };
  }

  it('asks the name server, and not for names of this machine', async () => {
    const { find, asked } = await aNameServer((_name, type) => (type === A ? '93.184.216.34' : NO_ERROR), 9_000);
    expect(await find('Receiver.Example.')).toEqual([{ address: '93.184.216.34', family: 4 }]);
    expect(await find('localhost')).toContainEqual({ address: '127.0.0.1', family: 4 });
    // The root is the resolver's own question, by which it finds out whether a slow server is back.
    expect(new Set(asked.filter((name) => name !== ''))).toEqual(new Set(['receiver.example']));
  });

  it.each([NO_SUCH_NAME, SERVER_FAILURE, null])(
    'takes a name that gets %s for the receiver’s fault while the name server does its work',
    async (given) => {
      const { find } = await aNameServer((name, type) => (name === '' && type === NS ? NO_ERROR : given), 900);
      expect(await find('receiver.example')).toBe('dns_error');
    },
  );

  it.each([SERVER_FAILURE, null])('takes it for ours while that answers nothing but %s', async (given) => {
    const { find } = await aNameServer(() => given, 150);
    expect(await find('receiver.example')).toBe('engine_error');
  });
});
