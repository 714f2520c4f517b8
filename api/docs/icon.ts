/** The sign of the engine's pages, which browsers show beside their titles: two bubbles of a chat. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<path fill="#0b6e4f" d="M4 3h17a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3H10l-6 5v-5a3 3 0 0 1-3-3V6a3 3 0 0 1 3-3z"/>
<path fill="#4fc39b" d="M27 13h1a3 3 0 0 1 3 3v7a3 3 0 0 1-3 3v4l-5-4h-9a3 3 0 0 1-3-3v-2l1-1h10a5 5 0 0 0 5-5z"/>
</svg>
`;
