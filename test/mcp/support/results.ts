const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

// What the tools of the test servers return, whichever package serves them.

export const drawn = {
  content: [
    { type: 'text' as const, text: 'Here:' },
    { type: 'image' as const, data: pixel, mimeType: 'image/png' },
    { type: 'audio' as const, data: 'AAAA', mimeType: 'audio/wav' },
    { type: 'resource_link' as const, uri: 'https://example.com/a.txt', name: 'a.txt' },
    { type: 'resource' as const, resource: { uri: 'note://1', text: 'a note' } },
  ],
};

export const broken = {
  isError: true,
  content: [{ type: 'text' as const, text: 'The disk is full: delete something.' }],
};
