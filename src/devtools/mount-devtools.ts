import { named } from '../core/model/shapes/named.ts';
import type { Agent, AgentEvent } from '../core/agent/agent.ts';

/** What the devtools read of an agent. */
export type DevtoolsAgent = Pick<Agent, 'events$' | 'getSession' | 'store'>;

/** Options of `mountDevtools`, all optional. */
export interface DevtoolsOptions {
  /**
   * Whether a production build shows the devtools, too. Default `false`: nothing is mounted and nothing is loaded. Without a bundler, which
   * replaces `process.env.NODE_ENV`, a page counts as production.
   */
  readonly inProduction?: boolean;
  /** Whether the drawer is open at first. Default `false`. */
  readonly isOpen?: boolean;
  /**
   * Language of the drawer, as a BCP 47 tag such as `zh-CN`: English and Chinese are there, any other tag means English. Default: that of the
   * browser.
   */
  readonly language?: string;
}

/** Events that are kept until the drawer opens. */
const mostEvents = 20_000;

const style = `:host{all:initial;color-scheme:inherit}
.launcher{position:fixed;z-index:2147483646;inset:auto .75rem .75rem auto;min-height:1.75rem;padding:0 .6rem;border:1px solid light-dark(#7d918d,#5f736f);border-radius:1rem;background:light-dark(#fff,#161e1c);color:light-dark(#0b5a54,#5ccbbd);font:600 .75rem system-ui,sans-serif;cursor:pointer}
.launcher:focus-visible{outline:2px solid light-dark(#0f766e,#5ccbbd);outline-offset:2px}`;

/**
 * Adds a button to the page that opens a drawer with what an agent does: the log as it grows, the state, the requests with their timings, and
 * the review of each session. The drawer is loaded when it is first opened. It only reads, and it is in a shadow tree of its own.
 *
 *     const unmount = mountDevtools(agent);
 *
 * @returns a function that removes everything again
 */
export function mountDevtools(agent: DevtoolsAgent, options: DevtoolsOptions = {}): () => void {
  const { inProduction, isOpen, language } = named(
    options,
    { inProduction: true, isOpen: true, language: true },
    'mountDevtools',
  );
  if (typeof document === 'undefined' || (!inProduction && isProduction())) return () => {};
  const recorded: AgentEvent[] = [];
  const recording = agent.events$.subscribe((event) => {
    if (recorded.push(event) > mostEvents) recorded.splice(0, mostEvents / 2);
  });
  const host = document.createElement('div');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  root.adoptedStyleSheets = [sheet];
  const launcher = document.createElement('button');
  launcher.className = 'launcher';
  launcher.type = 'button';
  launcher.textContent = 'Brooklet';
  launcher.setAttribute('aria-label', 'Brooklet devtools');
  root.append(launcher);
  // Beside the body: what renders into the body may remove what it has not rendered.
  document.documentElement.append(host);

  /** Closes the drawer that is open, or that is being loaded. */
  let close: (() => void) | undefined;
  function open(): void {
    const before = document.activeElement === host ? launcher : document.activeElement;
    let isWanted = true;
    let unmountDrawer = (): void => {};
    close = () => {
      isWanted = false;
      close = undefined;
      unmountDrawer();
      launcher.hidden = false;
      (before instanceof HTMLElement && before.isConnected && before !== document.body ? before : launcher).focus();
    };
    launcher.hidden = true;
    import('virtual:brooklet-drawer').then(
      ({ mountDrawer }) => {
        if (isWanted) unmountDrawer = mountDrawer({ agent, recorded, root, language, onClose: () => close?.() });
      },
      (error: unknown) => {
        close?.();
        launcher.title = `The devtools could not be loaded: ${String(error)}`;
      },
    );
  }

  launcher.addEventListener('click', () => (close ?? open)());
  if (isOpen) open();

  return () => {
    recording.unsubscribe();
    close?.();
    host.remove();
  };
}

// Bundlers replace `process.env.NODE_ENV` by a string. Without a bundler the browser has no `process`.
declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** Whether the page is built for production, or cannot know. */
function isProduction(): boolean {
  try {
    return process.env.NODE_ENV === 'production';
  } catch {
    return true;
  }
}
