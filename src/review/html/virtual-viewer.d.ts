// The types of `virtual:brooklet-viewer`, which scripts/viewer.mjs builds.
export declare const script: string;
export declare const style: string;
export declare const scriptHash: string;
export declare const styleHash: string;
