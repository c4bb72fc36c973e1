/** The exports of the package, listed one by one. */
export { getHostParsedBody } from "./getHostParsedBody.ts"
export { catalogFile, type CatalogFileOptions, lastGoodFile } from "./catalogFile.ts"
export { fileBlobs } from "./fileBlobs.ts"
export { type Listener, type ListenerOptions, signalbox } from "./listener.ts"
export { getRequestPath } from "./getRequestPath.ts"
export { platform } from "./platform.ts"
export { type HostRequest, type RequestServer, makeRequestServer } from "./makeRequestServer.ts"
export { type Options, Signalbox } from "./Signalbox.ts"
