export { connectMCP } from './connect.ts';
export { MCPError, type MCPErrorDetails, type MCPProblem } from './errors.ts';
export type { MCPLeftOut, MCPToolDefinition, MCPToolUI } from './definition.ts';
export type { MCPOptions, MCPPrompt, MCPPromptMessage, MCPResource, MCPServer, MCPStatus, MCPTool } from './types.ts';
export type { MCPAuth, MCPChallenge } from './wire.ts';
export type { MCPTokenStore } from './oauth/kept-tokens.ts';
export { type MCPMailbox, receiveMCPSignIn } from './oauth/mailbox.ts';
export { createMCPSignIn, type MCPSignIn, type MCPSignInOptions } from './oauth/sign-in.ts';
