/** A key that must appear only in the header of a request. */
export const canary = 'sk-canary-2f9d41c7b8e60a35d1f4';
