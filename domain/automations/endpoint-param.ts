import { EndpointId } from '../ids.ts';

/**
 * A parameter that names an endpoint, which the automation calls. Other than in a path, an id of another form is refused
 * where it is set: nobody looks at the answer of a call that finds no endpoint.
 */
export const EndpointParam = EndpointId.startsWith('whe_', 'must be the id of an endpoint, which begins with whe_');
