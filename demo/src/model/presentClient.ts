import type { LLMClient } from 'brooklet';
import { defer, switchMap } from 'rxjs';

/** Returns a client that sends each request by the model that is chosen then. Its code is loaded at the first one. @param before what is awaited first */
export const createPresentClient = (before?: () => Promise<void>): LLMClient => ({
  sendRequest: (request) =>
    defer(async () => {
      await before?.();
      return (await import('./clients.ts')).createPresent();
    }).pipe(switchMap(({ client }) => client.sendRequest(request))),
});
