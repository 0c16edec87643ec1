// In the order in which to read it.
export { createSyncedStore } from './replica/create-synced-store.ts';
export { createRemote } from './replica/create-remote.ts';
export { importSharedKey, openSharedKey } from './devices/shared-key.ts';
export { inviteDevice, openInvitation } from './devices/invitation.ts';
export { openDevices } from './devices/open-devices.ts';
export type { SyncedStore, SyncedStoreOptions } from './replica/synced-store.ts';
export type { ConnectOptions, ForkNotice, SessionSync, SyncedStoreStatus, SyncProblem } from './replica/options.ts';
export type { Remote } from './replica/remote.ts';
export type { SharedKeyOptions } from './devices/shared-key.ts';
export type { Invitation, InvitationOptions, OpenedInvitation } from './devices/invitation.ts';
export type { Devices, DevicesOptions, KnownDevice } from './devices/open-devices.ts';
export type {
  DecisionGuard,
  HeldDecision,
  HeldReason,
  LogEnd,
  RemovalGuard,
  Vetted,
  Vetting,
} from './decision-guard.ts';
