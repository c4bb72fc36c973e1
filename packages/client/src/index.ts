/** The exports of the package: the client, its errors, and the operations and types of the contract. */
export {
  ConnectionError,
  type ErrorFacts,
  type FailedCall,
  InvalidResponseError,
  ResponseError,
  StreamError,
  TimeoutError,
  TruncatedStreamError
} from "./ClientError.ts"
export { type ClientError, isClientError, isResponseError } from "./isClientError.ts"
export { type CallOptions, type ClientOptions, connect, type Connection } from "./Connection.ts"
export { type Client, createClient } from "./createClient.ts"
export type { PageFields, Paged } from "./Paged.ts"
export type { FileResponse } from "./readAnswer.ts"
export type { ErrorStatus } from "./generated/ErrorStatus.ts"
export * from "./generated/index.ts"
