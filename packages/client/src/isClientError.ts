/** Tells the errors of the client from others, and by status. */
import {
  ConnectionError,
  InvalidResponseError,
  ResponseError,
  StreamError,
  TimeoutError,
  TruncatedStreamError
} from "./ClientError.ts"
import type { ErrorStatus } from "./generated/ErrorStatus.ts"

/** What a call rejects with, unless its signal was aborted. `kind` tells them apart. */
export type ClientError =
  | ConnectionError
  | InvalidResponseError
  | ResponseError<ErrorStatus>
  | StreamError
  | TimeoutError
  | TruncatedStreamError

export const isClientError = (error: unknown): error is ClientError =>
  error instanceof ConnectionError ||
  error instanceof InvalidResponseError ||
  error instanceof ResponseError ||
  error instanceof StreamError ||
  error instanceof TimeoutError ||
  error instanceof TruncatedStreamError

/** Whether the server answered with an error, of one of these statuses if any are given. */
export const isResponseError = <Status extends ErrorStatus = ErrorStatus>(
  error: unknown,
  ...statuses: ReadonlyArray<Status>
): error is ResponseError<Status> =>
  error instanceof ResponseError &&
  (statuses.length === 0 || statuses.some((status) => status === error.status))
