/** An interface as a server would write it: a client of the protocol in a few lines. The test calls `request` and reads `heard`. */
export const weatherApp = (more = ''): string => `<!doctype html>
<html>
<head><title>Weather</title></head>
<body>
<h1>Weather</h1>
<output></output>
<script>
  var heard = [];
  const waiting = new Map();
  let lastId = 0;
  var request = (method, params = {}) => new Promise((resolve, reject) => {
    const id = ++lastId;
    waiting.set(id, { resolve, reject });
    parent.postMessage({ jsonrpc: '2.0', id, method, params }, '*');
  });
  addEventListener('message', ({ data }) => {
    if (data.method !== undefined) {
      heard.push(data);
      if (data.method === 'ui/notifications/tool-result')
        document.querySelector('output').textContent = data.params.structuredContent.degrees + ' degrees';
      if (data.method === 'ui/resource-teardown') parent.postMessage({ jsonrpc: '2.0', id: data.id, result: {} }, '*');
      return;
    }
    const { resolve, reject } = waiting.get(data.id);
    if (data.error) reject(new Error(data.error.message));
    else resolve(data.result);
  });
  var ready = request('ui/initialize', {
    appInfo: { name: 'view', version: '1' },
    appCapabilities: {},
    protocolVersion: '2026-01-26',
  }).then((result) => {
    parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/initialized' }, '*');
    parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: { width: 300, height: 120 } }, '*');
    return result;
  });
</script>
${more}
</body>
</html>
`;
