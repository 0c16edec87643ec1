export { Segments } from 'brooklet/ui';
