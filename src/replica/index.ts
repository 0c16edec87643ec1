// In the order in which to read it.
export { createReplica } from './create-replica.ts';
export type {
  DecisionGuard,
  HeldDecision,
  HeldReason,
  LogEnd,
  RemovalGuard,
  Vetted,
  Vetting,
} from '../storage/decision-guard.ts';
export type {
  ForkNotice,
  ReplicaOptions,
  ReplicaStatus,
  ReplicaStore,
  SessionSync,
  Trouble,
} from './replica-options.ts';
