export { notify, type Notify, type NotifyPermission } from './notify.ts';
export type { NotifyOptions, NotifyText } from './notify-options.ts';
export type { Notice, NoticeKind, NotificationParts, ShownNotice } from './notice.ts';
export type { NotifyChannel, NotifyPorts } from './ports.ts';
