import type { LLMClient } from 'brooklet';
import { defer, switchMap } from 'rxjs';

interface PresentClientOptions extends Pick<LLMClient, 'locked$'> {
  /** Awaited before each request. */
  readonly before?: () => Promise<void>;
}

/** Returns a client that sends each request by the model that is chosen then. Its code is loaded at the first one. */
export const createPresentClient = ({ before, ...traits }: PresentClientOptions): LLMClient => ({
  ...traits,
  sendRequest: (request) =>
    defer(async () => {
      await before?.();
      return (await import('./clients.ts')).createPresent();
    }).pipe(switchMap(({ client }) => client.sendRequest(request))),
});
