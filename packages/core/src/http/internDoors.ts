/** Who comes to interns at all: nobody at regional hostnames, and nobody outside the host's programme. */
import * as Effect from "effect/Effect"
import type { Caller } from "../auth/Caller.ts"
import { InternProgramme } from "../interns/InternProgramme.ts"
import { Settings } from "../Settings.ts"
import { Missing } from "../values/RequestErrors.ts"
import type { Asked } from "./Asked.ts"
import { hostNameOf, plainName } from "./hostNameOf.ts"
import { RegionalHostname } from "./HttpErrors.ts"

/** Gives what puts a handler behind both doors; nothing of the body is read before them. */
export const internDoors = Effect.gen(function* () {
  const programme = yield* InternProgramme
  const { regionalHostnames } = yield* Settings
  const regional: ReadonlySet<string> = new Set(regionalHostnames.map(plainName))

  const admit = Effect.fnUntraced(function* (caller: Caller) {
    const answer = programme(caller)
    const isIn = typeof answer === "boolean" ? answer : yield* Effect.promise(() => answer)
    // The same for every path: it tells nothing of what there is.
    if (!isIn) return yield* new Missing({ what: "intern", id: "" })
  })

  return <A, E, R>(handler: (asked: Asked) => Effect.Effect<A, E, R>) =>
    (asked: Asked): Effect.Effect<A, E | Missing | RegionalHostname, R> =>
      regional.has(hostNameOf(asked.request) ?? "")
        ? Effect.fail(new RegionalHostname())
        : Effect.andThen(admit(asked.caller), handler(asked))
})
