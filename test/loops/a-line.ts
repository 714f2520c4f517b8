import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';

/** A line from a port to a server, which can be cut, or fall silent while its connections stay. */
export class Line {
  readonly sockets = new Set<Pick<Socket, 'destroy' | 'pause'>>();
  #listener: Server | undefined;

  /** Answers at the port as `address` does, until the line is cut. */
  async connect(port: number, address: string): Promise<void> {
    const [host, theirPort] = address.split(':');
    const listener = createServer((socket) => {
      const upstream = connect(Number(theirPort), host);
      for (const end of [socket, upstream]) {
        this.sockets.add(end);
        end.on('error', () => end.destroy());
        end.on('close', () => this.sockets.delete(end));
      }
      socket.pipe(upstream).pipe(socket);
    });
    this.#listener = listener;
    await new Promise<void>((resolve) => listener.listen(port, '127.0.0.1', resolve));
  }

  cut(): void {
    this.#listener?.close();
    for (const socket of this.sockets) socket.destroy();
  }
}
