/** The exports of the package, listed one by one. */
export { google, type GoogleOptions } from "./google.ts"
export { vertex, type VertexOptions } from "./vertex.ts"
