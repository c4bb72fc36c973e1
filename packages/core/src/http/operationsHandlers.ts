/** Handlers of our own operations. */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { NotPermitted } from "../auth/AuthErrors.ts"
import type { Caller } from "../auth/Caller.ts"
import { RoutedApi } from "./api/Api.ts"
import { CurrentCaller } from "./api/Authentication.ts"
import { type ExpectedError, refusalOf } from "./errors/refusalOf.ts"
import { refuse } from "./errors/refuse.ts"
import { planDecision } from "./planDecision.ts"
import { readiness } from "./readiness.ts"

export const operationsHandlers = HttpApiBuilder.group(
  RoutedApi,
  "operations",
  Effect.fnUntraced(function* (handlers) {
    const health = yield* readiness
    const plan = yield* planDecision
    return handlers
      .handle("health", () =>
        asManager(() => Effect.map(health, (data) => HttpServerResponse.jsonUnsafe({ data })))
      )
      .handleRaw("plan", ({ request }) => asManager((caller) => plan(caller, request)))
  })
)

/** Answers callers with a management key; the others, and every failure, get their envelope. */
const asManager = <R>(
  answer: (caller: Caller) => Effect.Effect<HttpServerResponse.HttpServerResponse, ExpectedError, R>
) =>
  Effect.flatMap(CurrentCaller, (caller) =>
    Effect.matchEffect(
      caller.kind === "management" || caller.kind === "host"
        ? answer(caller)
        : new NotPermitted({ kind: caller.kind, needs: "a management key" }),
      {
        onSuccess: Effect.succeed,
        onFailure: (error) => Effect.succeed(refuse(refusalOf(error)))
      }
    )
  )
