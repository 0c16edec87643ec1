import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAnthropicReader } from '../../../src/llm/wires/anthropic/response.ts';
import { createChatReader } from '../../../src/llm/wires/chat-completions/response.ts';
import { createResponsesReader } from '../../../src/llm/wires/responses/response.ts';
import { bytes, frame, hear } from '../../support/llm-answer.ts';
import { createRandom, cutAt, randomCuts } from '../../support/llm-cuts.ts';
import { seeded } from '../../support/seeded.ts';

/** JSON with the keys and values of the wires, in the wrong places. */
function hostile(words: readonly string[]): fc.Arbitrary<unknown> {
  const word = fc.constantFrom(...words, '__proto__', 'constructor', 'toString', '', '\ud800');
  const leaf = fc.oneof(word, fc.constantFrom(null, true, -1, 1.5, 2 ** 53, 1e9, 0), fc.string());
  return fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(word, tie('value'), { maxKeys: 5 }),
    ),
  })).value;
}

const chat = [
  'choices',
  'delta',
  'message',
  'content',
  'tool_calls',
  'function',
  'name',
  'arguments',
  'index',
  'id',
  'finish_reason',
  'stop',
  'usage',
  'error',
  'reasoning_details',
  'text',
  'type',
  'reasoning',
  'citations',
  'url',
];
const anthropic = [
  'type',
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'content_block',
  'delta',
  'index',
  'tool_use',
  'text',
  'thinking',
  'signature',
  'input',
  'id',
  'name',
  'partial_json',
  'stop_reason',
  'usage',
  'message',
];
const responses = [
  'type',
  'response.output_item.added',
  'response.output_item.done',
  'response.completed',
  'response.function_call_arguments.delta',
  'response',
  'item',
  'output_index',
  'delta',
  'function_call',
  'reasoning',
  'message',
  'content',
  'arguments',
  'call_id',
  'name',
  'status',
  'completed',
  'summary',
  'result',
];

describe('random answers of a service', () => {
  test.each([
    ['chat completions', createChatReader, chat],
    ['messages', createAnthropicReader, anthropic],
    ['responses', createResponsesReader, responses],
  ])(
    '%s: result in an answer or an AgentError, with the chunks in order and the prototype untouched',
    (_, createReader, words) => {
      fc.assert(
        fc.property(fc.array(hostile(words), { maxLength: 6 }), fc.boolean(), (events, done) => {
          const heard = hear(
            [
              bytes(
                frame(
                  events.map((event) => JSON.stringify(event)),
                  { done },
                ),
              ),
            ],
            createReader,
          );
          expect(heard.error === undefined ? heard.finish : heard.error.name).toMatch(
            /^(AgentError|stop|length|tool-calls|content-filter|other)$/,
          );
          expect(Object.keys(Object.prototype)).toEqual([]);
        }),
        seeded(300),
      );
    },
  );

  test('of random bytes result in an AgentError, the same however they are cut', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer(), (noise, seed) => {
        const all = new Uint8Array([...bytes('data: {"choices":[]}\n\ndata:'), ...noise]);
        const whole = hear([all]);
        expect(whole.error?.name).toBe('AgentError');
        expect(hear(cutAt(all, randomCuts(all.length, createRandom(seed)))).error?.code).toBe(whole.error?.code);
      }),
      seeded(300),
    );
  });
});
