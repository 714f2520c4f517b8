import { z } from 'zod';
import { Target } from '../scope.ts';
import { CreateEndpoint, EndpointCreated } from './endpoint.ts';

const { url, events, description, secret } = CreateEndpoint.shape;

export const PutSessionEndpoint = z
  .strictObject({ ...Target, url, events, description, secret })
  .meta({ id: 'PutSessionEndpoint', description: "The address and the event types for the session's events." });

export const SessionEndpointPut = EndpointCreated.extend({
  secret: z
    .string()
    .meta({ description: 'The secret that signs its requests from now on. Shown only in this response.' }),
}).meta({ id: 'SessionEndpointPut', description: 'The endpoint of that URL, with its secret.' });
