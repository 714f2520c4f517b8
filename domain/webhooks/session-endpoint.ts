import { z } from 'zod';
import { Target } from '../scope.ts';
import { CreateEndpoint, EndpointCreated } from './endpoint.ts';

const { url, events, description, secret } = CreateEndpoint.shape;

export const PutSessionEndpoint = z
  .strictObject({ ...Target, url, events, description, secret })
  .meta({ id: 'PutSessionEndpoint', description: 'Where the events of the session go, and which.' });

export const SessionEndpointPut = EndpointCreated.extend({
  secret: z
    .string()
    .meta({ description: 'What its requests are signed with from now on; shown in this answer alone.' }),
}).meta({ id: 'SessionEndpointPut', description: 'The endpoint of that URL, with its secret.' });
