export { type RememberedRule, useApprovalRules, type UseApprovalRulesResult } from './useApprovalRules.ts';
export { useSessions, type UseSessionsOptions, type UseSessionsResult } from './useSessions.ts';
