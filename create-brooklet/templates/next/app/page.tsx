'use client';

export { default } from '../src/App';
