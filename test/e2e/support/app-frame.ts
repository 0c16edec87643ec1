import type { Frame, Page } from 'playwright';
import { eventually } from './eventually.ts';

declare global {
  // Of the interface: see test/mcp/support/app-html.ts.
  var request: (method: string, params?: object) => Promise<{ readonly [key: string]: unknown }>;
  var heard: readonly { readonly method: string; readonly params: unknown }[];
  var ready: Promise<{ readonly hostContext: { readonly [key: string]: unknown } }>;
}

/** Returns the interface of a tool once it has started: the frame within the frame of the sandbox. */
export async function appFrameOf(page: Page): Promise<Frame> {
  const find = (): Frame | undefined => page.frames().find((frame) => frame.parentFrame()?.parentFrame());
  await eventually(find).toBeDefined();
  const frame = find();
  if (!frame) throw new Error('no frame');
  await frame.waitForFunction(() => globalThis.ready !== undefined);
  await frame.evaluate(() => globalThis.ready.then(() => {}));
  return frame;
}
