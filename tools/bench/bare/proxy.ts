import { Agent, createServer } from 'node:http';
import { createProxyServer } from 'http-proxy-3';

/**
 * A baseline of the passthrough: a proxy that knows no keys, no sessions and no rules. It is a process of its own. By
 * its defaults http-proxy-3 opens a connection for each request; `keep-alive` gives it an agent that keeps them.
 */
const [target = '', agent] = process.argv.slice(2);
const proxy = createProxyServer(
  agent === 'keep-alive' ? { target, agent: new Agent({ keepAlive: true }) } : { target },
);
const server = createServer((request, response) => proxy.web(request, response));
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`);
});
