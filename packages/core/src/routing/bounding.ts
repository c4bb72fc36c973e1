/** What the restrictions of a caller leave of the models, whatever is asked of them. */
import * as Effect from "effect/Effect"
import type { Caller } from "../auth/Caller.ts"
import { Credentials } from "../byok/Credentials.ts"
import { Catalog } from "../catalog/Catalog.ts"
import type { Model } from "../catalog/Model.ts"
import { barredBy } from "./Barred.ts"
import type { Candidate } from "./Candidate.ts"
import { type Asking, remembered } from "./candidatesOf.ts"
import { copiesOf } from "./copiesOf.ts"
import { hardRules, rejections } from "./eligible.ts"
import * as Preferences from "./Preferences.ts"
import { restricting } from "./restricting.ts"

export const bounding = Effect.gen(function* () {
  const catalog = yield* Catalog
  const credentials = yield* Credentials
  const restrictionsOn = yield* restricting
  const candidatesOf = remembered()

  return Effect.fnUntraced(function* (caller: Caller) {
    const { constraints } = yield* restrictionsOn(caller)
    const configuration = catalog.current()
    const brought = yield* credentials.usable(caller, configuration.models, configuration)
    const barred = barredBy(brought)
    const rules = hardRules({
      ...(barred === undefined ? undefined : { barred }),
      models: [],
      preferences: Preferences.none,
      constraints,
      demand: { parameters: [], inputTokens: 0, outputTokens: 0 }
    })
    const isFree = (candidate: Candidate) => rejections(candidate, rules).length === 0
    return (model: Model) =>
      candidatesOf(model, configuration, anything).some(
        (candidate) =>
          isFree(candidate) || copiesOf(candidate, brought).some(({ copy }) => isFree(copy))
      )
  })
})

const anything: Asking = { operation: "anything", capability: () => undefined }
