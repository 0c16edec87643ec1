import { isJsonObject } from '../core/json.ts';
import { toTrusted } from './trusted-html.ts';

/**
 * The script of a sandbox frame: receives the source of a worker, starts the worker, and forwards the first message of the
 * worker. Invariant: the script does not change, not by one byte, because pages with a strict content security policy
 * allow it by its hash (`docs/ready-tools.md`).
 */
export const frameScript: string = `
onmessage = ({ data, ports: [port] }) => {
  onmessage = null;
  port.postMessage({ type: 'started' });
  const url = URL.createObjectURL(new Blob([data], { type: 'text/javascript' }));
  // A policy that the page has for Trusted Types holds here too.
  let trusted;
  try { trusted = trustedTypes.createPolicy('brooklet-sandbox', { createScriptURL: (one) => one }); } catch {}
  const worker = new Worker(trusted ? trusted.createScriptURL(url) : url);
  const end = (said) => { worker.terminate(); port.postMessage(said); };
  worker.onmessage = ({ data }) => end({ type: 'said', data: String(data) });
  worker.onerror = ({ message, lineno }) => end({ type: 'failed', message: String(message).slice(0, 2000), line: lineno });
};
`;

/** Forbids loading from any origin, and `eval`; the worker inherits the policy. */
const policy = "default-src 'none'; script-src 'unsafe-inline'; worker-src blob:";

/** The outcome of a worker: its first message, as text, or its first uncaught error. */
export type WorkerEnd =
  | { readonly type: 'said'; readonly data: string }
  | { readonly type: 'failed'; readonly message: string; readonly line: number };

export interface RunOptions {
  /** Terminates the worker at once, also inside an endless loop. */
  readonly signal: AbortSignal;
  /** Calls `callback` once after `ms`; returns a function that cancels the call. */
  readonly delay: (callback: () => void, ms: number) => () => void;
  /** Parent element of the hidden frame. Default: the page's body. */
  readonly parent?: HTMLElement;
}

/** ms after the frame's load event within which the frame must report its start. */
const startTimeout = 4_000;

/** ms within which the first worker of a page must answer. */
const proofTimeout = 8_000;

/** Pages in which a worker has run. */
const proven = new WeakSet<Document>();

/**
 * Runs the source of a worker in a new frame: an opaque origin, no network, no storage, no access to the page. Rejects with
 * the signal's reason when the signal aborts. Frame and worker are removed before the promise settles.
 */
export async function runInFrame(source: string, options: RunOptions): Promise<WorkerEnd> {
  if (typeof document === 'undefined') throw new Error('The sandbox needs a page: `document` is not defined here.');
  const page = (options.parent ?? document.body).ownerDocument;
  if (!proven.has(page)) {
    await prove(options);
    proven.add(page);
  }
  return start(source, options);
}

/**
 * Runs a worker without a mistake. A worker that the policy of the page forbids ends like one whose code cannot be parsed: with an event
 * without a message in Chromium and Firefox. In WebKit it never ends.
 */
async function prove(options: RunOptions): Promise<void> {
  const limit = new AbortController();
  const cancelTimer = options.delay(() => limit.abort(new Error(blocked)), proofTimeout);
  try {
    const signal = AbortSignal.any([options.signal, limit.signal]);
    const { type } = await start('postMessage("")', { ...options, signal });
    if (type === 'failed') throw new Error(blocked);
  } finally {
    cancelTimer();
  }
}

function start(source: string, { signal, delay, parent }: RunOptions): Promise<WorkerEnd> {
  if (signal.aborted) return Promise.reject(toError(signal.reason));
  const home = parent ?? document.body;
  const { ownerDocument } = home;
  // oxlint-disable-next-line react/iframe-missing-sandbox -- it is set below
  const frame = ownerDocument.createElement('iframe');
  const { port1: here, port2: there } = new MessageChannel();
  let cancelTimeout = (): void => {};

  const ended = new Promise<WorkerEnd>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(toError(signal.reason)), { once: true });
    here.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (!isJsonObject(data)) return;
      const { type, message, line } = data;
      if (type === 'started') cancelTimeout();
      if (type === 'said' && typeof data.data === 'string') resolve({ type, data: data.data });
      if (type === 'failed' && typeof message === 'string')
        resolve(line === undefined ? { type, message: unparsed, line: 0 } : { type, message, line: Number(line) });
    });
    here.start();
    // Allows scripts only; in particular not `allow-same-origin`, which would give the frame the page's origin.
    frame.setAttribute('sandbox', 'allow-scripts');
    frame.referrerPolicy = 'no-referrer';
    frame.hidden = true;
    try {
      frame.srcdoc = toTrusted(
        `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}"><script>${frameScript}</script>`,
        ownerDocument.defaultView,
      );
    } catch (cause) {
      throw new Error(blocked, { cause });
    }
    frame.addEventListener(
      'load',
      () => {
        cancelTimeout = delay(() => reject(new Error(blocked)), startTimeout);
        // The target origin must be '*': the opaque origin of the frame has no name.
        frame.contentWindow?.postMessage(source, '*', [there]);
      },
      { once: true },
    );
    home.append(frame);
  });

  return ended.finally(() => {
    cancelTimeout();
    here.close();
    frame.remove();
  });
}

/** Firefox reports a mistake in the grammar of a worker without a message and a line. */
const unparsed = 'SyntaxError: The code cannot be parsed. This browser does not report where the mistake is.';

const blocked =
  'The sandbox did not start. If the page has a content security policy, it must allow the sandbox: see docs/ready-tools.md.';

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
