export { mountMCPApp, type MCPAppOptions, type MCPAppQuestion, type MCPAppStatus, type MCPAppView } from './mount.ts';
export { withMCPApps } from './with-apps.ts';
export type { MCPAppCsp, MCPAppPermission } from './resource.ts';
export { isFromMCPApp } from './app-call.ts';
export { sandboxHTML } from './sandbox.ts';
