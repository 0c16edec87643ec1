import { defineConfig } from 'vite';

const pages = ['', 'byok/', 'two-agents/', 'review/', 'approvals/', 'local/'];

export default defineConfig({
  build: {
    target: 'es2022',
    rolldownOptions: { input: pages.map((page) => `${import.meta.dirname}/${page}index.html`) },
  },
});
