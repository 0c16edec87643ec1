/** A copy of the sandbox page of the package (`brooklet/mcp/apps/sandbox.html`): an opaque origin, and a policy that forbids the network. */
const address = `${import.meta.env.BASE_URL}mcp-app.html`;

const prefix = 'ui/notifications/sandbox-';

/** A page in its sandbox. */
export interface Sandboxed {
  /** Sends something to the page. */
  readonly post: (message: object) => void;
  readonly remove: () => void;
}

interface SandboxOptions {
  readonly html: string;
  /** The accessible name of the frame. */
  readonly title: string;
  /** Called with what the page sends, once it is there. What it sends is not trusted. */
  readonly onMessage?: (data: unknown) => void;
  /** Called when the page has gone elsewhere: its frame is empty then. */
  readonly onLeft?: () => void;
}

/** Shows a page in a sandbox: it can run scripts, and reach neither this page, nor its storage, nor the network. */
export function mountSandbox(container: Element, { html, title, onMessage, onLeft }: SandboxOptions): Sandboxed {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts allow-forms');
  frame.referrerPolicy = 'no-referrer';
  frame.title = title;
  frame.src = address;
  let isStarted = false;
  const post = (message: object): void => frame.contentWindow?.postMessage(message, '*');
  const receive = ({ source, data }: MessageEvent<unknown>): void => {
    // A frame that was removed has no window.
    if (source === null || source !== frame.contentWindow) return;
    if (isStarted) {
      if (isLeaving(data)) onLeft?.();
      else onMessage?.(data);
      return;
    }
    isStarted = true;
    post({ jsonrpc: '2.0', method: `${prefix}resource-ready`, params: { html } });
  };
  addEventListener('message', receive);
  container.append(frame);
  return {
    post,
    remove: () => {
      removeEventListener('message', receive);
      frame.remove();
    },
  };
}

/** Whether this is what the sandbox itself says when its page has gone elsewhere. */
function isLeaving(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'method' in data && data.method === `${prefix}left`;
}
