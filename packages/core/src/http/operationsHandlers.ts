/** Handlers of our own operations. */
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { NotPermitted } from "../auth/AuthErrors.ts"
import { readiness } from "./readiness.ts"
import { RoutedApi } from "./api/Api.ts"
import { CurrentCaller } from "./api/Authentication.ts"
import { refusalOf } from "./errors/refusalOf.ts"
import { refuse } from "./errors/refuse.ts"

export const operationsHandlers = HttpApiBuilder.group(
  RoutedApi,
  "operations",
  Effect.fnUntraced(function* (handlers) {
    const health = yield* readiness
    return handlers.handleAll({
      health: Effect.fnUntraced(function* () {
        const { kind } = yield* CurrentCaller
        return kind === "management" || kind === "host"
          ? { data: yield* health }
          : refuse(refusalOf(new NotPermitted({ kind, needs: "a management key" })))
      })
    })
  })
)
