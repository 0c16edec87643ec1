import { defineTool } from 'brooklet';

const upload = defineTool({
  name: 'upload',
  description: 'Uploads the person’s photos.',
  input: { type: 'object', properties: {} },
  exclusive: true,
  async execute(_input, { signal, progress }) {
    for (const [index, photo] of photos.entries()) {
      await send(photo, signal);
      progress({ done: index + 1, total: photos.length });
    }
    return `${photos.length} photos uploaded.`;
  },
});

declare const photos: readonly Blob[];
declare const send: (photo: Blob, signal: AbortSignal) => Promise<void>;

export { upload };
