export { isComposing } from 'brooklet/ui';
