import '@angular/compiler';
import 'brooklet/element';
import { Component, CUSTOM_ELEMENTS_SCHEMA, provideZonelessChangeDetection, signal } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import type { BrookletChatEvents } from 'brooklet/element';
import { agent } from './agent';

@Component({
  selector: '#app',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <brooklet-chat
      [agent]="agent"
      session-id="help"
      [theme]="'light'"
      (finish)="onFinish($event)"
      (approval)="onApproval($event)"
    ></brooklet-chat>
    <p id="events">{{ heard() }}</p>
  `,
})
class App {
  readonly agent = agent;
  readonly heard = signal('');

  onFinish({ detail }: BrookletChatEvents['finish']): void {
    this.heard.update((before) => `${before} finish:${detail.outcome}`);
  }
  onApproval({ detail }: BrookletChatEvents['approval']): void {
    this.heard.update((before) => `${before} approval:${detail.name}`);
  }
}

bootstrapApplication(App, { providers: [provideZonelessChangeDetection()] }).catch(console.error);
