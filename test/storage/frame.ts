/**
 * Adds a page of its own to this one, as an iframe that runs a module script. Vitest makes each `import()` a call of its
 * runner, which a page of its own lacks: there an `import()` is just that, as in Vitest's workers.
 */
export function addPage(script: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.srcdoc = `
    <script>globalThis.__vitest_browser_runner__ = { wrapDynamicImport: (load) => load() };</script>
    <script type="module">${script}</script>`;
  document.body.append(frame);
  return frame;
}
