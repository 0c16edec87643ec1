export { script, scriptHash, style, styleHash } from 'virtual:brooklet-viewer';
