const logged: LLMClient = {
  ...client,
  sendRequest(request) {
    console.log(request.messages, request.tools);
    return client.sendRequest(request);
  },
};

export { logged };

declare const client: LLMClient;

// What the sample leaves to its page.
import type { LLMClient } from 'brooklet';
