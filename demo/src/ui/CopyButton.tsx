export { CopyButton } from 'brooklet/ui';
