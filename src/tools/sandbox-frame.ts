import { isJsonObject } from '../core/json.ts';

/**
 * What a sandbox frame runs: it takes the source of a worker, starts it, and passes on the first thing that it says. Kept
 * as it is, byte for byte: pages with a strict content security policy allow it by its hash (`docs/tools.md`).
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

/** Nothing may be loaded, from anywhere; the worker inherits this. No `unsafe-eval` either. */
const policy = "default-src 'none'; script-src 'unsafe-inline'; worker-src blob:";

/** What of Trusted Types is needed here; what it makes is taken wherever TypeScript wants text. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(html: string): string }): { createHTML(html: string): string };
}

/** One a page: a second of the same name is refused. */
const policies = new WeakMap<object, { createHTML(html: string): string }>();

/** Markup that a page which asks for Trusted Types lets in, if it allows `brooklet-sandbox`. */
function toTrusted(html: string, view: Window | null): string {
  const { trustedTypes }: { readonly trustedTypes?: TrustedTypes } & Partial<Pick<Window, 'name'>> = view ?? {};
  if (trustedTypes === undefined) return html;
  const policy =
    policies.get(trustedTypes) ?? trustedTypes.createPolicy('brooklet-sandbox', { createHTML: (markup) => markup });
  policies.set(trustedTypes, policy);
  return policy.createHTML(html);
}

/** What came of a worker: the first thing it posted, as text, or its first uncaught error. */
export type WorkerEnd =
  | { readonly type: 'said'; readonly data: string }
  | { readonly type: 'failed'; readonly message: string; readonly line: number };

export interface RunOptions {
  /** Ends the worker at once, wherever it is. */
  readonly signal: AbortSignal;
  /** Calls back once after ms, unless it is called off. */
  readonly delay: (callback: () => void, ms: number) => () => void;
  /** Where the frame stands, unseen. Default: the page's body. */
  readonly parent?: HTMLElement;
}

/** ms that a frame may take to answer after it has loaded. */
const startTimeout = 4_000;

/**
 * Runs the source of a worker in a frame of its own: an origin that is no other's, no network, no storage, no access to
 * the page. Rejects with the signal's reason when it aborts. Frame and worker are gone when this settles.
 */
export function runInFrame(source: string, { signal, delay, parent }: RunOptions): Promise<WorkerEnd> {
  if (typeof document === 'undefined') return Promise.reject(new Error('A sandbox needs a page.'));
  if (signal.aborted) return Promise.reject(toError(signal.reason));
  const home = parent ?? document.body;
  const { ownerDocument } = home;
  // oxlint-disable-next-line react/iframe-missing-sandbox -- it is set below
  const frame = ownerDocument.createElement('iframe');
  const { port1: here, port2: there } = new MessageChannel();
  let callOff = (): void => {};

  const ended = new Promise<WorkerEnd>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(toError(signal.reason)), { once: true });
    here.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (!isJsonObject(data)) return;
      const { type, message, line } = data;
      if (type === 'started') callOff();
      if (type === 'said' && typeof data.data === 'string') resolve({ type, data: data.data });
      if (type === 'failed' && typeof message === 'string') resolve({ type, message, line: Number(line) });
    });
    here.start();
    // Scripts, and nothing else: above all not the page's own origin.
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
        callOff = delay(() => reject(new Error(blocked)), startTimeout);
        // Its origin is opaque and has no name: the frame is addressed by being the frame.
        frame.contentWindow?.postMessage(source, '*', [there]);
      },
      { once: true },
    );
    home.append(frame);
  });

  return ended.finally(() => {
    callOff();
    here.close();
    frame.remove();
  });
}

const blocked =
  'The sandbox did not start. If the page has a content security policy, it must allow the sandbox: see docs/tools.md.';

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
