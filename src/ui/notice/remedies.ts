import type { AgentErrorCode } from '../../core/model/index.ts';
import type { Remedy } from '../props.ts';

const inSettings: readonly Remedy[] = ['settings'];
const fixes: Readonly<Partial<Record<AgentErrorCode, readonly Remedy[]>>> = {
  AUTHENTICATION_FAILED: inSettings,
  AUTHENTICATION_LOCKED: inSettings,
  PERMISSION_DENIED: inSettings,
  MODEL_NOT_FOUND: inSettings,
  MODEL_NOT_READY: inSettings,
  INVALID_CONFIG: inSettings,
  MISSING_CLIENT: inSettings,
  INSUFFICIENT_QUOTA: ['topUp', 'settings'],
  MODULE_UNAVAILABLE: ['reload'],
  CONTEXT_OVERFLOW: ['newChat'],
};

interface RemediesOptions {
  readonly code: AgentErrorCode | undefined;
  /** Whether the last reply can be continued. */
  readonly hasReply: boolean;
  /** Whether the page can do what a remedy says. */
  readonly can: Readonly<Record<'settings' | 'topUp' | 'newChat', boolean>>;
}

/** Returns what a person can do about a failed run, the action that helps first. */
export function remediesFor({ code, hasReply, can }: RemediesOptions): readonly Remedy[] {
  const first = (code && fixes[code]) ?? [];
  const again: readonly Remedy[] = hasReply ? ['resume', 'retry'] : ['retry'];
  // Only the address or the network can be at fault.
  const last = code === 'NETWORK_ERROR' ? inSettings : [];
  const isPossible = (remedy: Remedy): boolean =>
    remedy === 'settings' || remedy === 'topUp' || remedy === 'newChat' ? can[remedy] : true;
  return [...first, ...again, ...last].filter(isPossible);
}
