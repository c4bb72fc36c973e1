/** The failure that stands in the JSON of an answer with a status of success. */
import { errorIn } from "./errorIn.ts"
import { kindOf } from "./failureOfResponse.ts"
import { kindOfCode } from "./kindOfCode.ts"
import { saysContextLength } from "./saysContextLength.ts"
import { type FailureKind, UpstreamFailure } from "./UpstreamFailure.ts"

type FailedUsage = UpstreamFailure["usage"]

/** Undefined where `json` has no `error`. A code that is a status counts as that status. */
export const failureInside = (
  json: Readonly<Record<string, unknown>>,
  usage?: FailedUsage
): UpstreamFailure | undefined => {
  const error = Object.hasOwn(json, "error") ? json["error"] : undefined
  if (typeof error !== "string" && (typeof error !== "object" || error === null)) return undefined
  const { code, message, status } = errorIn(json)
  return new UpstreamFailure({
    kind: kindOfError(code, status, message),
    detail: (message ?? "the answer reports an error").slice(0, detailLimit),
    ...(usage === undefined ? undefined : { usage })
  })
}

/** Clipped so that an upstream cannot fill our logs and records. */
const detailLimit = 500

const kindOfError = (
  code: string | undefined,
  status: number | undefined,
  message: string | undefined
): FailureKind => {
  const named = code === undefined ? undefined : kindOfCode(code)
  if (named !== undefined) return named
  return status !== undefined && status >= 400 && status <= 599
    ? kindOf(status, undefined, message)
    : saysContextLength(message)
      ? "context_length"
      : "server_error"
}
