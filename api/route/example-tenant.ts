/** The tenant of all examples, which is also the tenant of the guides. */
export const EXAMPLE_TENANT = 'shop';
