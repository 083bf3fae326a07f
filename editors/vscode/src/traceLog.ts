// The log of the protocol, switched by `promptblock.trace.server` alone.
//
// The client library traces only while its channel's log level is "trace", a level that is set elsewhere in the
// editor and that nobody would look for. So this stands between: it claims that level while the setting asks for it.

import * as vscode from "vscode";
import { SECTION, tracing } from "./settings";

export class TraceLog implements vscode.LogOutputChannel {
  readonly name = "Prompt Block (trace)";
  private channel: vscode.LogOutputChannel | undefined;
  private readonly levelChanged = new vscode.EventEmitter<vscode.LogLevel>();
  readonly onDidChangeLogLevel = this.levelChanged.event;
  private readonly settings = vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration(`${SECTION}.trace.server`)) this.levelChanged.fire(this.logLevel);
  });

  get logLevel(): vscode.LogLevel {
    return tracing() ? vscode.LogLevel.Trace : vscode.LogLevel.Off;
  }

  /** Made when first written to, so that nobody who does not trace has it in the list of outputs. */
  private get output(): vscode.LogOutputChannel {
    this.channel ??= vscode.window.createOutputChannel(this.name, { log: true });
    return this.channel;
  }

  trace(message: string, ...args: unknown[]): void {
    this.output.info(message, ...args);
  }
  debug(message: string, ...args: unknown[]): void {
    this.output.info(message, ...args);
  }
  info(message: string, ...args: unknown[]): void {
    this.output.info(message, ...args);
  }
  warn(message: string, ...args: unknown[]): void {
    this.output.warn(message, ...args);
  }
  error(error: string | Error, ...args: unknown[]): void {
    this.output.error(error, ...args);
  }
  append(value: string): void {
    this.output.append(value);
  }
  appendLine(value: string): void {
    this.output.appendLine(value);
  }
  replace(value: string): void {
    this.output.replace(value);
  }
  clear(): void {
    this.channel?.clear();
  }
  show(column?: vscode.ViewColumn | boolean, preserveFocus?: boolean): void {
    this.output.show(typeof column === "boolean" ? column : preserveFocus);
  }
  hide(): void {
    this.channel?.hide();
  }
  dispose(): void {
    this.settings.dispose();
    this.levelChanged.dispose();
    this.channel?.dispose();
  }
}
