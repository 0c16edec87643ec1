import scriptAddress from 'mermaid/dist/mermaid.min.js?url';
import { mountSandbox } from './sandbox.ts';

/** ms: a diagram that takes longer is not drawn. */
const patience = 20_000;
/** Characters of a diagram that is drawn. */
const maxLength = 50_000;

/** Draws in the sandbox: the text of a diagram is not trusted, and Mermaid writes styles, which the policy of this page refuses. */
const driver = `
addEventListener('message', async ({ source, data }) => {
  if (source !== parent || typeof data?.diagram !== 'string') return;
  const say = (message) => parent.postMessage({ id: data.id, ...message }, '*');
  try {
    mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', theme: data.isDark ? 'dark' : 'neutral', htmlLabels: false,
      flowchart: { htmlLabels: false }, fontFamily: 'system-ui, sans-serif', suppressErrorRendering: true });
    const { svg } = await mermaid.render('drawing' + data.id, data.diagram);
    say({ svg });
  } catch (error) {
    say({ error: String(error?.message ?? error) });
  }
});
parent.postMessage({ ready: true }, '*');
`;

interface Drawer {
  readonly draw: (diagram: string, isDark: boolean) => Promise<string>;
}

let drawer: Promise<Drawer> | undefined;

/**
 * Returns a diagram in the language of Mermaid as an SVG picture, for an `<img>`: there nothing of it runs, and nothing is loaded. Mermaid itself is
 * loaded with the first diagram. Rejects with what is wrong with the diagram, or when Mermaid cannot be loaded.
 */
export async function drawDiagram(diagram: string, isDark: boolean): Promise<string> {
  if (diagram.length > maxLength) throw new Error('The diagram is too long.');
  drawer ??= startDrawer();
  try {
    return await (await drawer).draw(diagram, isDark);
  } catch (error) {
    if (!(error instanceof DiagramError)) drawer = undefined;
    throw error;
  }
}

/** What is wrong with a diagram: the next one may be drawn. */
class DiagramError extends Error {}

async function startDrawer(): Promise<Drawer> {
  const response = await fetch(scriptAddress);
  if (!response.ok) throw new Error('Mermaid could not be loaded.');
  const script = await response.text();
  const waiting = new Map<number, (message: Answer) => void>();
  let onReady = (): void => {};
  const ready = new Promise<void>((resolve) => (onReady = resolve));
  const host = document.createElement('div');
  host.className = 'diagram-room';
  host.inert = true;
  document.body.append(host);
  const { post } = mountSandbox(host, {
    html: `<!doctype html><body><script>${inScript(script)}</script><script>${driver}</script>`,
    title: 'Mermaid',
    onMessage(data) {
      const answer = toAnswer(data);
      if (answer.isReady) onReady();
      waiting.get(answer.id)?.(answer);
    },
  });
  await inTime(ready);
  let count = 0;
  return {
    async draw(diagram, isDark) {
      const id = (count += 1);
      const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
      post({ id, diagram, isDark });
      const { svg, error } = await inTime(answered).finally(() => waiting.delete(id));
      if (svg === undefined) throw new DiagramError(error);
      return svg;
    },
  };
}

/** A script within a page must not end it. */
const inScript = (script: string): string =>
  script.replaceAll(/<\/(?=script)/giu, String.raw`<\/`).replaceAll('<!--', String.raw`<\!--`);

interface Answer {
  readonly id: number;
  readonly isReady: boolean;
  readonly svg: string | undefined;
  readonly error: string;
}

function toAnswer(data: unknown): Answer {
  const { id, ready, svg, error }: Readonly<Record<string, unknown>> = { ...(typeof data === 'object' ? data : {}) };
  return {
    id: typeof id === 'number' ? id : 0,
    isReady: ready === true,
    svg: typeof svg === 'string' ? svg : undefined,
    error: typeof error === 'string' ? error : '',
  };
}

function inTime<Value>(promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The diagram took too long.')), patience);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
