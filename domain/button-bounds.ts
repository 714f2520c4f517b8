/** What the network shows of buttons: so many of them, with so many characters each. */
export const BUTTON_BOUNDS = { buttons: 10, textLength: 64 } as const;
