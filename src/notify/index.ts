export { notify, type Notify, type NotifyOptions, type NotifyPermission, type NotifyText } from './notify.ts';
export type { Notice, NoticeKind, NotificationParts, ShownNotice } from './notice.ts';
export type { NotifyChannel, NotifyPorts } from './ports.ts';
