/** Rejects intern requests on regional hostnames and from callers that the host finds ineligible. */
import * as Effect from "effect/Effect"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { InternEligibility } from "../../domains/interns/InternEligibility.ts"
import { Settings } from "../../instance/Settings.ts"
import { ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import { type IncomingRequest, findHostname, normalizeHostname } from "./IncomingRequest.ts"
import { RegionalHostname } from "../errors/HttpErrors.ts"

/** Yields the check of a request, which runs before the body is read. */
export const makeInternAccess = Effect.gen(function* () {
  const isEligible = yield* InternEligibility
  const { regionalHostnames } = yield* Settings
  const regional: ReadonlySet<string> = new Set(regionalHostnames.map(normalizeHostname))

  const requireEligible = Effect.fnUntraced(function* (caller: Caller) {
    const answer = isEligible(caller)
    const isAllowed = typeof answer === "boolean" ? answer : yield* Effect.promise(() => answer)
    // The same error for every path does not reveal which interns exist.
    if (!isAllowed) return yield* new ResourceNotFound({ resource: "intern", id: "" })
  })

  return (
    caller: Caller,
    request: IncomingRequest
  ): Effect.Effect<void, ResourceNotFound | RegionalHostname> =>
    regional.has(findHostname(request) ?? "")
      ? Effect.fail(new RegionalHostname())
      : requireEligible(caller)
})
