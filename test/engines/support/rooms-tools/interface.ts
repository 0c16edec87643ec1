/** What the buttons of the interface are for. Each is 200 px wide and 40 px high, 50 px below the one before it. */
export const buttons = ['link', 'call', 'grow', 'within', 'leave'] as const;

/**
 * The interface of a tool, as a server would write it. It reports what it may reach as `may …`, and what its buttons have done.
 *
 * @param elsewhere another origin: what the interface tries to reach
 */
export const interfaceHTML = (elsewhere: string): string => `<!doctype html>
<html lang="en">
<head>
<title>Weather</title>
<style>body { margin: 0; height: 2000px } button, #deep { position: absolute; left: 0; width: 200px; height: 40px }</style>
</head>
<body>
${buttons.map((name, at) => `<button id="${name}" style="top: ${at * 50}px">${name}</button>`).join('\n')}
<p id="deep" style="top: 1900px">deep</p>
<script>
const url = ${JSON.stringify(`${elsewhere}/canary`)};
const waiting = new Map();
let lastId = 0;
const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
const request = (method, params) => new Promise((resolve, reject) => {
  const id = ++lastId;
  waiting.set(id, { resolve, reject });
  send({ id, method, params });
});
const say = (text) => request('ui/update-model-context', { content: [{ type: 'text', text }] });
addEventListener('message', ({ data }) => {
  if (data.method === 'ui/resource-teardown') return send({ id: data.id, result: {} });
  const { resolve, reject } = waiting.get(data.id) ?? {};
  if (data.error) reject?.(new Error(data.error.message));
  else resolve?.(data.result);
});
const outcome = async (work) => {
  try { return String(await work()); } catch { return 'refused'; }
};
const loaded = (one) => new Promise((resolve, reject) => {
  one.onload = one.onopen = one.onmessage = one.onsuccess = () => resolve('done');
  one.onerror = reject;
});
const attempts = {
  page: () => parent.parent.document.body,
  sandbox: () => parent.document.body,
  storage: () => localStorage.length,
  cookies: () => { if (document.cookie === '') throw new Error('no cookies'); },
  database: () => loaded(indexedDB.open('x')),
  fetch: () => fetch(url, { mode: 'no-cors' }),
  socket: () => loaded(new WebSocket(url.replace('http', 'ws'))),
  image: () => loaded(Object.assign(new Image(), { src: url })),
  worker: () => loaded(new Worker(URL.createObjectURL(new Blob(['postMessage(1)'])))),
  popup: () => { if (open(url) === null) throw new Error('no window'); },
  top: () => { top.location.href = url; },
  above: () => { parent.location.href = url; },
  eval: () => eval('1'),
};
const press = (name, work) => { document.getElementById(name).onclick = work; };
press('link', () => request('ui/open-link', { url: ${JSON.stringify(`${elsewhere}/linked`)} }).then(() => say('opened'), (error) => say(error.message)));
press('call', () => request('tools/call', { name: 'refresh', arguments: { city: 'Bergen' } }).then(({ structuredContent }) => say(structuredContent.city)));
press('grow', () => send({ method: 'ui/notifications/size-changed', params: { height: 333 } }));
press('leave', () => location.reload());
press('within', async () => {
  const changed = () => new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
  const link = document.body.appendChild(Object.assign(document.createElement('a'), { href: '#deep' }));
  const followed = changed();
  link.click();
  await followed;
  const depth = scrollY;
  const next = changed();
  location.hash = '#next';
  await next;
  history.pushState(null, '', '#pushed');
  scrollTo(0, 0);
  await say([depth > 1000, location.hash].join(' '));
});
request('ui/initialize', { appInfo: { name: 'view', version: '1' }, appCapabilities: {}, protocolVersion: '2026-01-26' }).then(async () => {
  send({ method: 'ui/notifications/initialized' });
  send({ method: 'ui/notifications/size-changed', params: { height: 250 } });
  const may = {};
  for (const [name, work] of Object.entries(attempts)) may[name] = await outcome(work);
  for (const rel of ['stylesheet', 'prefetch', 'preload', 'icon'])
    document.head.append(Object.assign(document.createElement('link'), { rel, as: 'script', href: url }));
  document.body.append(Object.assign(document.createElement('iframe'), { src: url }));
  navigator.sendBeacon(url);
  await say('may ' + JSON.stringify({ ...may, base: document.baseURI, referrer: document.referrer, mode: document.compatMode }));
});
</script>
</body>
</html>
`;
