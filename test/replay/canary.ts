/** The texts of the stories, which no history may contain. */
export const CANARY = {
  text: 'canary text of a message',
  name: 'Canary Name',
  /** Without its last four digits, which choose what the person does. */
  phone: '1555010',
  /** A workflow's secret for another system, and the address there. */
  secret: 'canary-secret-of-a-shop',
  address: 'canary-orders',
} as const;
