// Keeps an assembly up to date: asks when the server says that the last answer is outdated, one question at a time, so that a
// fast typist gets as many answers as the machine gives and none that is too late.

import { type Disposable, Emitter, type LanguageClient } from "vscode-languageclient/node";
import type { Link } from "./link";
import { type Answer, type Block, merge, METHOD, type Params } from "./protocol";

export interface Update {
  answer: Answer;
  /** All blocks; `answer.blocks` says which of them are the same as before. */
  blocks: Block[];
  /** Whether `answer.blocks` builds upon the update before this one. */
  builds: boolean;
}

export class Feed implements Disposable {
  private readonly updated = new Emitter<Update>();
  readonly onDidUpdate = this.updated.event;
  private readonly subscriptions: Disposable[];
  private params: Params | undefined;
  private blocks: Block[] = [];
  private lastId: string | undefined;
  private readonly outdated = new Set<string>();
  /** Who is being asked. */
  private busy: LanguageClient | undefined;
  private again = false;
  private closed = false;

  constructor(private readonly link: Link) {
    this.subscriptions = [
      link.onDidConnect(() => {
        // A new server knows nothing of what the old one said, and what that was asked it may never answer.
        this.lastId = undefined;
        this.outdated.clear();
        this.busy = undefined;
        void this.ask();
      }),
      link.onDidChange((ids) => {
        for (const id of ids) this.outdated.add(id);
        if (this.lastId !== undefined && this.outdated.has(this.lastId)) void this.ask();
      }),
    ];
  }

  /** Asks something else from here on; nothing for `undefined`. */
  want(params: Params | undefined): void {
    if (JSON.stringify(params) === JSON.stringify(this.params)) return;
    this.params = params;
    void this.ask();
  }

  dispose(): void {
    this.closed = true;
    for (const one of this.subscriptions) one.dispose();
    this.updated.dispose();
  }

  private async ask(): Promise<void> {
    const { client } = this.link;
    if (!client) return;
    if (this.busy) {
      this.again = true;
      return;
    }
    this.busy = client;
    do {
      this.again = false;
      await this.askOnce(client);
    } while (this.again && this.busy === client && !this.closed);
    if (this.busy === client) this.busy = undefined;
  }

  private async askOnce(client: LanguageClient): Promise<void> {
    const { params } = this;
    if (!params || this.closed || client !== this.link.client) return;
    const previous = this.lastId;
    const question = previous === undefined ? params : { ...params, previousResultId: previous };
    let answer: Answer | null;
    try {
      answer = await client.sendRequest<Answer | null>(METHOD, question);
    } catch {
      // The server is going, or too old to know the question; a new one is connected by itself.
      return;
    }
    if (!answer || this.closed || client !== this.link.client) return;
    const blocks = merge(this.blocks, answer.blocks ?? []);
    this.lastId = blocks ? answer.resultId : undefined;
    if (!blocks) {
      this.again = true;
      return;
    }
    this.blocks = blocks;
    if (this.outdated.has(answer.resultId)) this.again = true;
    this.outdated.clear();
    this.updated.fire({ answer, blocks, builds: previous !== undefined });
  }
}
