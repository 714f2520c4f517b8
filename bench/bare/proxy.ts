import { Agent, createServer } from 'node:http';
import { createProxyServer } from 'http-proxy-3';

/** The baseline of the passthrough: a proxy that knows no keys, no sessions and no rules. It is a process of its own. */
const [target = ''] = process.argv.slice(2);
const proxy = createProxyServer({ target, agent: new Agent({ keepAlive: true }) });
const server = createServer((request, response) => proxy.web(request, response));
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`);
});
