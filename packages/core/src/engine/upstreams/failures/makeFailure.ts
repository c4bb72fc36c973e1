/** Makes a failure of what an upstream reports. */
import { omitUndefined } from "../../../values/omitUndefined.ts"
import { type FailureKind, UpstreamFailure } from "./UpstreamFailure.ts"

interface ReportedError {
  readonly kind: FailureKind
  /** The status of an error response; absent: the error is in an answer with a success status. */
  readonly status?: number
  /** The upstream's, of any length. */
  readonly message: string | undefined
  readonly retryAfterMillis?: number | undefined
  readonly usage?: UpstreamFailure["usage"]
}

export const makeFailure = ({ message, status, ...facts }: ReportedError): UpstreamFailure => {
  const detail = message ?? (status === undefined ? "the answer reports an error" : undefined)
  return new UpstreamFailure(
    omitUndefined({ ...facts, status, detail: detail?.slice(0, detailLimit) })
  )
}

/** Characters that are kept, so that an upstream cannot fill logs and records. */
const detailLimit = 500
