/** Signalbox on Node. Exports are listed one by one. */
export { bodyReadByHost } from "./bodyReadByHost.ts"
export { catalogFile, type CatalogFileOptions, lastGoodFile } from "./catalogFile.ts"
export { fileBlobs } from "./fileBlobs.ts"
export { type Listener, type ListenerOptions, signalbox } from "./listener.ts"
export { pathOf } from "./pathOf.ts"
export { platform } from "./platform.ts"
export { type Arrival, type Serve, serve } from "./serve.ts"
export { type Options, Signalbox } from "./Signalbox.ts"
