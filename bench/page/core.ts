import { now, readStart, type Start } from './bench.ts';

/** A client without its hooks: asks with a text, and resolves when the answer is finished. */
export type Core = (text: string) => Promise<unknown>;

export interface CoreStart extends Start {
  /** Origin of the server. */
  readonly api: string;
}

/** Publishes a core to the harness. */
export async function run(begin: (start: CoreStart) => Core | Promise<Core>): Promise<void> {
  const start = readStart();
  const core = await begin({ ...start, api: start.apis[0] ?? '' });
  globalThis.bench = {
    now,
    async ask(text) {
      await core(text);
    },
  };
}
