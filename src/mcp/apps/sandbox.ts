/**
 * The page around an interface, as HTML: the sandbox proxy of the specification. It sets the policy for itself, and shows the interface in
 * a frame of its own, which inherits the policy and cannot leave it: where a frame may go is decided by the policy of the page around it.
 *
 * - It runs in an opaque origin only: as a page of a site, it would give an interface the rights of the site.
 * - An interface that leaves for another page is removed at the second `load`: the other page must not send messages as the interface.
 *
 * A page whose own policy forbids inline scripts serves this text as a file (`brooklet/mcp/apps/sandbox.html`) and names its address.
 */
export const sandboxHTML: string = `<!doctype html>
<meta charset="utf-8">
<style>html, body, iframe { width: 100%; height: 100%; margin: 0; border: 0; display: block; overflow: hidden; color-scheme: light dark }</style>
<body>
<script>
(() => {
if (self.origin !== 'null' || parent === self) return;
const prefix = 'ui/notifications/sandbox-';
const up = (message) => parent.postMessage(message, '*');
const tell = (what) => up({ jsonrpc: '2.0', method: prefix + what, params: {} });
const none = "'none'";
let view;
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
view.srcdoc = html;
let loads = 0;
view.onload = () => {
if (++loads < 2) return;
view.remove();
tell('left');
};
document.body.append(view);
};
addEventListener('message', ({ source, data }) => {
if (source === parent && data?.method === prefix + 'resource-ready') {
if (!view) show(data.params);
} else if (source === parent) view?.contentWindow?.postMessage(data, '*');
else if (view && source === view.contentWindow && !String(data?.method).startsWith(prefix)) up(data);
});
tell('proxy-ready');
})();
</script>
`;
