import { createServer } from 'node:http';

/** A backend that reads whatever is uploaded and answers how much it was. It is a process of its own. */
const server = createServer((request, response) => {
  let bytes = 0;
  request.on('data', (part: Buffer) => {
    bytes += part.length;
  });
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ bytes }));
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`);
});
