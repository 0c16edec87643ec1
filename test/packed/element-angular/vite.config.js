import { defineConfig } from 'vite';

// Decorators as Angular knows them; the templates are compiled in the page.
export default defineConfig({ oxc: { decorator: { legacy: true } } });
