import { parentPort } from 'node:worker_threads';
import { createOpenApiDocument } from './openapi.ts';
import { routes } from './routes.ts';

parentPort?.postMessage(JSON.stringify(createOpenApiDocument(routes)));
