export { AgentProvider, type AgentProviderProps } from './AgentProvider.tsx';
export { useAgent } from './useAgent.ts';
export { type ChatVerbs, useChat, type UseChatOptions, type UseChatResult } from './useChat.ts';
export { useSession, type UseSessionResult } from './useSession.ts';
export { useSessions, type UseSessionsOptions, type UseSessionsResult } from './useSessions.ts';
export { useApprovals } from './useApprovals.ts';
export {
  type RememberedRule as RememberedDecision,
  useApprovalRules as useDecisions,
  type UseApprovalRulesResult as UseDecisionsResult,
} from './useApprovalRules.ts';
export { useCallInput } from './useCallInput.ts';
export { useMessage } from './useMessage.ts';
export { useMessageIds } from './useMessageIds.ts';
export { useObservable } from './useObservable.ts';
