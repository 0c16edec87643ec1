import { lastValueFrom, toArray } from 'rxjs';
import { expect, test } from 'vitest';
import { createScriptedClient, reply, type Script } from '../../../src/testing/scripted.ts';
import { withThinkTags } from '../../../src/llm/middleware/think-tags.ts';
import { createListener } from '../../support/llm-answer.ts';

async function hear(...script: Script): Promise<object> {
  const { heard, emit } = createListener();
  const client = withThinkTags(createScriptedClient(script));
  for (const chunk of await lastValueFrom(client.sendRequest({ sessionId: 's', messages: [] }).pipe(toArray())))
    emit(chunk);
  return heard;
}

test('18: turns <think> in the content into reasoning, however the text is cut', async () => {
  const text = 'a<think>b</thi c</think>d < e';
  for (let size = 1; size <= text.length; size += 1) {
    expect(await hear(reply.text(text, { size }))).toMatchObject({ text: 'ad < e', reasoning: 'b</thi c' });
  }
});

test('18: emits half a tag at the end as text', async () => {
  expect(await hear(reply.text('a<thi'))).toMatchObject({ text: 'a<thi' });
  expect(await hear(reply.text('a<'), reply.call('f'), reply.text('think>b'))).toMatchObject({
    text: 'a<think>b',
    reasoning: '',
  });
});
