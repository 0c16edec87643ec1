/** @jsxImportSource preact */
import { render } from 'preact';
import { Viewer } from './Viewer.tsx';
import './viewer.css';

// The log follows this script in the file.
addEventListener('DOMContentLoaded', () => {
  const root = document.getElementById('viewer');
  if (root) render(<Viewer text={document.getElementById('log')?.textContent ?? ''} />, root);
});
