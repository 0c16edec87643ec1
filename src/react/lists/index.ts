export { type RememberedRule, useApprovalRules, type UseApprovalRulesResult } from './useApprovalRules.ts';
export type { SessionActions } from './createSessionActions.ts';
export { useSessions, type UseSessionsOptions, type UseSessionsResult } from './useSessions.ts';
