// The server as those see it who show an assembly: the client of the moment, and its word that answers are outdated. One for all,
// since a client has one handler for a notification and forgets the one before.

import { type Disposable, Emitter, type LanguageClient } from "vscode-languageclient/node";
import { CHANGED } from "./protocol";

export class Link implements Disposable {
  private readonly connected = new Emitter<void>();
  /** Another client, or none. */
  readonly onDidConnect = this.connected.event;
  private readonly changed = new Emitter<string[]>();
  /** These answers are outdated. */
  readonly onDidChange = this.changed.event;
  private current: LanguageClient | undefined;

  get client(): LanguageClient | undefined {
    return this.current;
  }

  connect(client: LanguageClient | undefined): void {
    if (client === this.current) return;
    this.current = client;
    // It goes with its client.
    client?.onNotification(CHANGED, ({ resultIds }: { resultIds: string[] }) => {
      if (client === this.current) this.changed.fire(resultIds);
    });
    this.connected.fire();
  }

  dispose(): void {
    this.connected.dispose();
    this.changed.dispose();
  }
}
