// The types of `virtual:brooklet-drawer`, which scripts/viewer.mjs resolves to drawer/main.tsx.
import type { DrawerEnv } from './drawer-env.ts';

export declare function mountDrawer(env: DrawerEnv): () => void;
