// Takes the place of `brooklet/testing` in the samples: what a script would say, the model of the test says, so that the robot decides when an answer ends and
// how it fails. What a script calls, and what it says of the result, is its own.

import { extractTextContent, type LLMClient, type LLMRequest, toolParts } from 'brooklet';
import { createProviderClient, openai } from 'brooklet/providers';
import { createScriptedClient as play, type Script } from '../../../../src/testing/scripted.ts';

export { reply } from '../../../../src/testing/scripted.ts';

export function createScriptedClient(script: (request: LLMRequest, index: number) => Script): LLMClient {
  const played = play(script);
  const model = createProviderClient(openai, {
    // Of a worker, too.
    baseURL: `${location.origin}/model/v1`,
    model: 'gpt-5-mini',
    apiKey: 'sk-test',
  });
  const isPlayed = (request: LLMRequest): boolean => {
    const last = request.messages.at(-1);
    if (last === undefined || toolParts(last).length > 0) return true;
    // What the page offers to say. Some scripts call a tool whatever is said.
    const isOffered = /remember|pay|mark|show/iu.test(extractTextContent(last));
    return isOffered && script(request, 0).some((step) => step.do === 'call');
  };
  return { ...model, sendRequest: (request) => (isPlayed(request) ? played : model).sendRequest(request) };
}
