import { lazy } from '../../core/lazy.ts';
import type { SessionStore } from '../../core/model/store.ts';
import type { ImportedMessages, ImportMessagesOptions } from './import-messages.ts';

const load = lazy(() => import('./import-messages.ts'));

/**
 * Stores the messages of another program as a session, which can then be listed, searched, shown, reviewed and continued: messages of
 * chat completions, or the items that `readClaudeCode`, `readCodex`, `readGeminiCli` and `mergeToolMessages` of `brooklet/tools` return.
 *
 * Calls are closed records and never run: a call with a result has succeeded or failed, a call without one is cancelled.
 *
 * Rejects with `INVALID_INPUT`, and stores nothing, where the source contains no message or a message does not fit; with
 * `STORAGE_CONFLICT` where the id is in use; and with the other AgentErrors of the store.
 *
 * @param source a list of items; or text: a JSON array, an object with `messages`, or JSON Lines of either
 * @example
 * const { sessionId } = await importMessages(store, '[{"role":"user","content":"Hello"}]');
 */
export async function importMessages(
  store: SessionStore,
  source: string | readonly unknown[],
  options: ImportMessagesOptions = {},
): Promise<ImportedMessages> {
  return (await load()).importMessages(store, source, options);
}
