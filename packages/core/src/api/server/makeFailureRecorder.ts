/** Remembers requests that failed before they were routed, without their content. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { FailedRequests } from "../../engine/observability/failures/FailedRequests.ts"
import type { FailedRequest } from "../../engine/observability/failures/FailedRequest.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { type Operation, toOperationId } from "../contract/Operation.ts"
import type { ErrorResponse } from "../errors/ErrorResponse.ts"
import type { IncomingRequest } from "./IncomingRequest.ts"

type Failing = Pick<IncomingRequest, "headers" | "method" | "requestId">

/** Makes the function that remembers one; `operation` is undefined if none matches, `caller` if it is not known. */
export const makeFailureRecorder = Effect.gen(function* () {
  const failures = yield* FailedRequests
  const clock = yield* Clock.Clock
  return (
    request: Failing,
    operation: Pick<Operation, "group" | "name" | "path"> | undefined,
    caller: Caller | undefined,
    error: ErrorResponse
  ): void =>
    failures.record({
      at: clock.currentTimeMillisUnsafe(),
      ...toFailedRequest(request, operation, caller, error)
    })
})

const toFailedRequest = (
  { headers, method, requestId }: Failing,
  operation: Pick<Operation, "group" | "name" | "path"> | undefined,
  caller: Caller | undefined,
  { message, metadata = {}, status }: ErrorResponse
): Omit<FailedRequest, "at"> =>
  omitUndefined({
    requestId,
    caller:
      caller &&
      omitUndefined({
        account: caller.account,
        workspace: caller.workspace,
        keyHash: caller.keyHash,
        user: caller.user
      }),
    method: method.slice(0, 16),
    operation: operation && toOperationId(operation),
    path: operation?.path,
    status,
    type: toText(metadata["error_type"]),
    reason: toText(metadata["reason"]),
    // Otherwise it quotes the path, which is the client's own text.
    message:
      operation === undefined
        ? "no operation matches the request"
        : truncate(message.replaceAll(keyLike, "[key]")),
    userAgent: product.exec(headers["user-agent"] ?? "")?.[0]
  })

/** Messages quote names, in whose place a caller may have written a key. */
const keyLike = /\b(?:sk|pk|rk|key|Bearer)[-_ ][\w.-]{8,}/gi

/** The first product of a user agent, such as `openai-node/4.1`: a client may have written anything else. */
const product = /^[A-Za-z][\w.-]{0,40}\/\d[\w.]{0,20}(?![\w.-])/

const toText = (value: unknown): string | undefined =>
  typeof value === "string" ? truncate(value) : undefined

const maxCharacters = 200

const truncate = (text: string): string => text.slice(0, maxCharacters).toWellFormed()
