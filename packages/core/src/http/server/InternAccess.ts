/** Who comes to interns at all: nobody at regional hostnames, and nobody outside the host's programme. */
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { Caller } from "../../auth/Caller.ts"
import { InternEligibility } from "../../interns/InternEligibility.ts"
import { Settings } from "../../Settings.ts"
import { ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import { findHostname, normalizeHostname } from "./findHostname.ts"
import { RegionalHostname } from "../errors/HttpErrors.ts"

/** Gives the check of a request; it comes before the body is read. */
export const makeInternAccess = Effect.gen(function* () {
  const programme = yield* InternEligibility
  const { regionalHostnames } = yield* Settings
  const regional: ReadonlySet<string> = new Set(regionalHostnames.map(normalizeHostname))

  const admit = Effect.fnUntraced(function* (caller: Caller) {
    const answer = programme(caller)
    const isIn = typeof answer === "boolean" ? answer : yield* Effect.promise(() => answer)
    // The same for every path: it tells nothing of what there is.
    if (!isIn) return yield* new ResourceNotFound({ resource: "intern", id: "" })
  })

  return (
    caller: Caller,
    request: HttpServerRequest.HttpServerRequest
  ): Effect.Effect<void, ResourceNotFound | RegionalHostname> =>
    regional.has(findHostname(request) ?? "") ? Effect.fail(new RegionalHostname()) : admit(caller)
})
