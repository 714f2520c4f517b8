/** The operator's secrets of every engine in the tests. Apart from the engine, which most tests of the API have no use for. */
export const PSK = 'test-psk-0123456789-0123456789-0123456789';
export const MASTER_KEY = 'test-master-0123456789-0123456789-0123456789';
export const ENCRYPTION_KEY = 'test-encryption-key-0123456789-0123456789';
export const BACKEND_KEY = 'sandbox-key';
export const BACKEND_WEBHOOK_SECRET = 'backend-webhook-secret-0123456789-0123456789';
