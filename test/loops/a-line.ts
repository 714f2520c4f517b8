import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';

/** A line from a port to a server, which can be cut, or fall silent while its connections stay. */
export class Line {
  readonly sockets = new Set<Pick<Socket, 'destroy' | 'pause'>>();
  /** Every answer arrives this much later. */
  delayMs = 0;
  #isSilent = false;
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
      if (this.#isSilent) socket.pause();
      else socket.pipe(upstream);
      upstream.on('data', (answer: Buffer) => {
        if (this.delayMs === 0) socket.write(answer);
        else setTimeout(() => socket.write(answer), this.delayMs);
      });
      upstream.on('end', () => socket.end());
    });
    this.#listener = listener;
    await new Promise<void>((resolve) => listener.listen(port, '127.0.0.1', resolve));
  }

  /** Keeps its connections, and accepts new ones, but answers none until it is cut. */
  fallSilent(): void {
    this.#isSilent = true;
    for (const socket of this.sockets) socket.pause();
  }

  cut(): void {
    this.#isSilent = false;
    this.#listener?.close();
    for (const socket of this.sockets) socket.destroy();
  }
}
