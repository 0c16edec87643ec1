export { connectMCP } from './connect.ts';
export { MCPError, type MCPErrorDetails, type MCPProblem } from './errors.ts';
export type { MCPLeftOut, MCPToolDefinition } from './definition.ts';
export type { MCPOptions, MCPPrompt, MCPPromptMessage, MCPResource, MCPServer, MCPStatus, MCPTool } from './types.ts';
export type { MCPAuth, MCPChallenge } from './wire.ts';
export {
  createMCPSignIn,
  type MCPMailbox,
  type MCPSignIn,
  type MCPSignInOptions,
  type MCPTokenStore,
  receiveMCPSignIn,
} from './oauth/sign-in.ts';
