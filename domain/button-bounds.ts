/** The most buttons that the network shows, and the most characters on each. */
export const BUTTON_BOUNDS = { buttons: 10, textLength: 64 } as const;
