import type { Json } from '../../core/json.ts';
import type { StoreMeta } from '../../core/model/store.ts';
import type { Coder } from './coder.ts';
import type { JetStream, StreamMessage } from './jetstream.ts';
import type { Subjects } from './subjects.ts';

interface MetaOptions {
  readonly js: JetStream;
  readonly subjects: Subjects;
  readonly coder: () => Promise<Coder>;
}

/** Entries as the last messages of their subjects. Keys are not encrypted. */
export function createNatsMeta({ js, subjects, coder }: MetaOptions): StoreMeta {
  /** By key: the update before, so that updates of one page do not refuse each other. */
  const turns = new Map<string, Promise<void>>();

  async function open(key: string, message: StreamMessage | undefined): Promise<Json | undefined> {
    if (!message?.data.length) return undefined;
    return (await coder()).decode(message.data, ['meta', key]);
  }

  async function update(key: string, change: (value: Json | undefined) => Json | undefined): Promise<void> {
    const subject = subjects.meta(key);
    for (;;) {
      const message = await js.last(subject);
      const value = change(await open(key, message));
      if (value === undefined && !message?.data.length) return;
      const data = value === undefined ? '' : await (await coder()).encode(value, ['meta', key]);
      // `undefined`: another client was first.
      if ((await js.append(subject, { data, expected: message?.at ?? 0, isRollup: true })) !== undefined) return;
    }
  }

  return {
    get: async (key) => open(key, await js.last(subjects.meta(key))),
    update(key, change) {
      const result = (turns.get(key) ?? Promise.resolve()).then(() => update(key, change));
      turns.set(
        key,
        result.catch(() => {}),
      );
      return result;
    },
  };
}
