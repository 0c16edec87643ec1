import fc from 'fast-check';
import type { JsonObject } from 'brooklet';
import { createMemoryStore, importHistory, importMessages } from 'brooklet/storage';
import { expect, test } from 'vitest';
import { seeded } from '../support/seeded.ts';
import { conversation, said } from './samples/chatgpt.ts';

const word = fc.stringMatching(/^[a-z]{1,8}$/);

/** Blocks of messages of several services: each is one part here, or is counted once. */
const block: fc.Arbitrary<JsonObject> = fc.oneof(
  word.map((text) => ({ type: 'text', text })),
  word.map((thinking) => ({ type: 'thinking', thinking })),
  fc.constant({ type: 'redacted_thinking', data: 'x' }),
  fc.constant({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QUJD' } }),
  fc.constant({ type: 'image', source: { type: 'file', file_id: 'f' } }),
  fc.constant({ type: 'image_url', image_url: { url: 'blob:x' } }),
  fc.constant({ type: 'input_audio', input_audio: { data: 'QUJD', format: 'mp3' } }),
  fc.constant({ type: 'file', file: { file_id: 'f' } }),
  fc.constant({ type: 'document', source: { type: 'text', data: 'x' } }),
  fc.constant({ text: 'of Google' }),
  fc.constant({ inlineData: { mimeType: 'image/png', data: 'QUJD' } }),
  fc.constant({ fileData: { fileUri: 'gs://x' } }),
  fc.constant({ videoMetadata: {} }),
  word.map((type) => ({ type: `odd-${type}` })),
);

test('every block of a message is a part of the session or is counted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(block, { minLength: 1, maxLength: 12 }), async (content) => {
      const store = createMemoryStore();
      const first = { role: 'user', content: 'first' };
      const { sessionId, leftOut } = await importMessages(store, [first, { role: 'user', content }]);
      const events = (await store.read(sessionId))?.events ?? [];
      const parts = events.flatMap((event) => (event.type === 'message.added' ? event.message.content : []));
      const left = leftOut.filter(({ reason }) => reason !== 'empty').reduce((sum, { count }) => sum + count, 0);
      expect(parts.length - 1 + left).toBe(content.length);
    }),
    seeded(300),
  );
});

const node: fc.Arbitrary<JsonObject> = fc
  .oneof(
    word,
    fc.constant({ content_type: 'image_asset_pointer', asset_pointer: 'sediment://f' }),
    fc.constant({ content_type: 'audio_asset_pointer', asset_pointer: 'sediment://f' }),
    word.map((text) => ({ content_type: 'audio_transcription', text })),
    word.map((type) => ({ content_type: `odd-${type}` })),
  )
  .map((part) => ({ part }));

test('every part of a conversation of ChatGPT is taken or counted, whatever its tree', async () => {
  const tree = fc.array(fc.tuple(node, fc.nat(), fc.constantFrom('user', 'assistant', 'tool', 'system')), {
    minLength: 1,
    maxLength: 15,
  });
  await fc.assert(
    fc.asyncProperty(tree, async (nodes) => {
      const messages = nodes.map(([{ part = '' }, parent, role], index) => {
        const message = said(`n${index}`, role, { content_type: 'multimodal_text', parts: [part] });
        return [message, index === 0 ? 'client-created-root' : `n${parent % index}`] as const;
      });
      // A word makes the conversation one that can be imported.
      const word = [said('word', 'user', 'word'), 'client-created-root'] as const;
      const source = JSON.stringify([conversation('c', [...messages, word], 'word')]);
      const { taken, leftOut, conversations } = await importHistory(createMemoryStore(), source);
      const results = leftOut.filter(({ reason }) => reason !== 'empty').reduce((sum, { count }) => sum + count, 0);
      const texts = nodes.filter(
        ([{ part }]) => typeof part === 'string' || JSON.stringify(part).includes('transcription'),
      ).length;
      expect(results).toBe(nodes.length - texts);
      expect(taken.messages).toBe(conversations[0]?.messages);
      const said1 = nodes.filter(
        ([{ part }, , role]) =>
          role !== 'tool' && (typeof part === 'string' || JSON.stringify(part).includes('transcription')),
      ).length;
      expect(taken.texts).toBe(said1 + 1);
    }),
    seeded(300),
  );
});
