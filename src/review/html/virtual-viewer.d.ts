/** The viewer, built by scripts/viewer.mjs. */
declare module 'virtual:brooklet-viewer' {
  export const script: string;
  export const style: string;
  export const scriptHash: string;
  export const styleHash: string;
}
