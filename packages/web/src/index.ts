/** The exports of the package, listed one by one. */
export type { Mountable } from "@signalbox/core/adapter"
export { type Handler, type HandlerOptions, signalbox, type SourceOptions } from "./handler.ts"
export { layer } from "./layer.ts"
export { platform } from "./platform.ts"
export { type Options, Signalbox } from "./Signalbox.ts"
export { SignalboxError } from "@signalbox/core"
