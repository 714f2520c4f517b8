import { connect } from 'node:net';

/** PostgreSQL's question "do you speak TLS?", which any server answers with one letter before asking who we are. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** Whether a PostgreSQL server answers there: a port alone still accepts for a moment after kill -9. */
export function answersAsPostgres(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () => socket.write(SSL_REQUEST));
    const answer = (yes: boolean) => {
      socket.destroy();
      resolve(yes);
    };
    socket.setTimeout(2_000, () => answer(false));
    socket.once('data', (letter) => answer(letter.length === 1 && 'SN'.includes(letter.toString())));
    socket.once('error', () => answer(false));
    socket.once('end', () => answer(false));
  });
}
