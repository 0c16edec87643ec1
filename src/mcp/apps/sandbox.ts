/**
 * The page around an interface, as HTML: the sandbox proxy of the specification. It sets the policy for itself, and shows the interface in
 * a frame of its own, which inherits the policy and cannot leave it: where a frame may go is decided by the policy of the page around it.
 *
 * - It runs in an opaque origin only: as a page of a site, it would give an interface the rights of the site.
 * - An interface that leaves for another page is removed: the other page must not send messages as the interface. Its document reports its end
 *   by a port that was made before the interface ran, and proves by it at each further `load` that it is still there. WebKit fires `load` for a
 *   fragment and a download, too, and Firefox fires none where it refuses to load a document again.
 * - The base of both pages is `about:srcdoc`: links within an interface work, and it cannot read the address of the page from `baseURI`.
 *
 * A page whose own policy forbids inline scripts serves this text as a file (`brooklet/mcp/apps/sandbox.html`) and names its address.
 */
export const sandboxHTML: string = `<!doctype html>
<meta charset="utf-8">
<base href="about:srcdoc">
<style>html, body, iframe { width: 100%; height: 100%; margin: 0; border: 0; display: block; overflow: hidden; color-scheme: light dark }</style>
<body>
<script>
(() => {
if (self.origin !== 'null' || parent === self) return;
const prefix = 'ui/notifications/sandbox-';
const up = (message) => parent.postMessage(message, '*');
const tell = (what) => up({ jsonrpc: '2.0', method: prefix + what, params: {} });
const none = "'none'";
const pulse = '<script>{const{port1,port2}=new MessageChannel();port1.onmessage=({data})=>port1.postMessage(data);addEventListener("pagehide",({persisted})=>persisted||port1.postMessage(0));parent.postMessage({method:"' + prefix + 'pulse"},"*",[port2])}</scr' + 'ipt>';
const patience = 2000;
let view, port, held, timer;
let loads = 0;
const leave = () => {
clearTimeout(timer);
if (port) port.onmessage = null;
view.remove();
tell('left');
};
const follow = (its) => {
port = its;
port.onmessage = ({ data }) => {
if (data === 0) return leave();
if (data !== loads) return;
clearTimeout(timer);
const messages = held ?? [];
held = undefined;
messages.forEach(up);
};
};
const policyOf = ({ connectDomains = [], resourceDomains = [], frameDomains = [] } = {}) => {
const resources = resourceDomains.join(' ');
return Object.entries({
'default-src': none,
'script-src': "'unsafe-inline' " + resources,
'style-src': "'unsafe-inline' " + resources,
'img-src': 'data: blob: ' + resources,
'media-src': 'data: blob: ' + resources,
'font-src': 'data: ' + resources,
'connect-src': connectDomains.join(' ') || none,
'frame-src': frameDomains.join(' ') || none,
'base-uri': none,
'form-action': none,
}).map((directive) => directive.join(' ')).join(';');
};
const show = ({ html, csp, allow = '' }) => {
const policy = document.createElement('meta');
policy.httpEquiv = 'Content-Security-Policy';
policy.content = policyOf(csp);
document.head.append(policy);
view = document.createElement('iframe');
view.sandbox = 'allow-scripts allow-forms';
view.allow = allow;
view.referrerPolicy = 'no-referrer';
view.srcdoc = pulse + html;
view.onload = () => {
if (++loads < 2) return;
if (!port) return leave();
held ??= [];
clearTimeout(timer);
timer = setTimeout(leave, patience);
port.postMessage(loads);
};
document.body.append(view);
};
addEventListener('message', ({ source, data, ports }) => {
if (source === parent && data?.method === prefix + 'resource-ready') {
if (!view) show(data.params);
} else if (source === parent) view?.contentWindow?.postMessage(data, '*');
else if (!view || source !== view.contentWindow) return;
else if (!port && data?.method === prefix + 'pulse') follow(ports[0]);
else if (!String(data?.method).startsWith(prefix)) held ? held.length < 200 && held.push(data) : up(data);
});
tell('proxy-ready');
})();
</script>
`;
