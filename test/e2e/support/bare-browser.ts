import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { chromium } from 'playwright';
import { launchArgs } from '../../../scripts/find-browser.mjs';

/** A page of a bare browser. */
export interface BarePage {
  /** Evaluates an expression and returns its result, awaited, as JSON. Works in a frozen page too. */
  evaluate(expression: string): Promise<unknown>;
  setState(state: 'frozen' | 'active'): Promise<void>;
}

/**
 * A Chromium without emulated focus. Playwright makes each page believe that it is visible and focused, and such a page
 * is never frozen, although the browser reports that it was.
 */
export interface BareBrowser {
  open(url: string): Promise<BarePage>;
  close(): Promise<void>;
}

/** A response of the browser: https://chromedevtools.github.io/devtools-protocol/ */
interface Answer {
  readonly id?: number;
  readonly error?: { readonly message: string };
  readonly result?: {
    readonly targetId?: string;
    readonly sessionId?: string;
    readonly result?: { readonly value?: unknown };
    readonly exceptionDetails?: { readonly exception?: { readonly description?: string } };
  };
}

export async function startBareBrowser(): Promise<BareBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'brooklet-bare-'));
  const path = process.env.CHROMIUM_PATH ?? chromium.executablePath();
  const args = [...launchArgs, '--headless', '--remote-debugging-pipe', `--user-data-dir=${profile}`];
  const child = spawn(path, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
  const gone = once(child, 'exit');
  const [, , , commands, answers] = child.stdio;
  if (!isWritable(commands) || !isReadable(answers)) throw new Error('The browser has no pipes.');
  const send = speak(commands, answers);

  return {
    async open(url) {
      const { targetId } = await send('Target.createTarget', { url });
      const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
      return {
        async evaluate(expression) {
          const options = { expression, awaitPromise: true, returnByValue: true };
          const { result, exceptionDetails } = await send('Runtime.evaluate', options, sessionId);
          if (exceptionDetails) throw new Error(exceptionDetails.exception?.description);
          return result?.value;
        },
        setState: async (state) => void (await send('Page.setWebLifecycleState', { state }, sessionId)),
      };
    },
    async close() {
      await send('Browser.close');
      await gone;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Messages are JSON, each terminated by a zero byte. */
function speak(commands: Writable, answers: Readable) {
  const asked = new Map<number, (answer: Answer) => void>();
  let rest = '';
  answers.setEncoding('utf8').on('data', (piece: string) => {
    const texts = (rest + piece).split('\0');
    rest = texts.pop() ?? '';
    for (const text of texts) {
      const answer: Answer = JSON.parse(text);
      if (answer.id !== undefined) asked.get(answer.id)?.(answer);
    }
  });
  let last = 0;
  return async (method: string, params: object = {}, sessionId?: string): Promise<NonNullable<Answer['result']>> => {
    const id = ++last;
    const answered = new Promise<Answer>((resolve) => asked.set(id, resolve));
    commands.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    const { error, result = {} } = await answered;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
}

const isWritable = (stream: Readable | Writable | null | undefined): stream is Writable =>
  stream !== null && stream !== undefined && 'write' in stream;
const isReadable = (stream: Readable | Writable | null | undefined): stream is Readable =>
  stream !== null && stream !== undefined && 'read' in stream;
