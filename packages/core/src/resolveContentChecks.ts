/** The content checks of the options: checked when an instance is made, and connected with the models that they ask. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { bundleFieldNames } from "./domains/customers/BundleConfig.ts"
import { layerDecisionChecks } from "./domains/decisions/layerDecisionChecks.ts"
import { Catalog } from "./engine/catalog/Catalog.ts"
import { decodeOption } from "./decodeOption.ts"
import type { Options } from "./Options.ts"
import { Guidance } from "./questions/Question.ts"
import { type ContentCheck, ContentChecks } from "./routing/filters/ContentCheck.ts"
import { suggestNames } from "./values/validation/findNearestName.ts"

type Checks = Readonly<Record<string, ContentCheck>>

const traits = {
  timeoutMillis: Schema.optionalKey(Schema.Finite.check(Schema.isGreaterThan(0))),
  onFailure: Schema.optionalKey(Schema.Literals(["match", "pass"]))
}

const FunctionFields = Schema.Struct({ find: Schema.Any, ...traits })

const DecisionFields = Schema.Struct({
  question: Guidance,
  model: Schema.NonEmptyString,
  threshold: Schema.optionalKey(
    Schema.Finite.check(Schema.isGreaterThan(0), Schema.isLessThanOrEqualTo(1))
  ),
  roles: Schema.optionalKey(
    Schema.Array(Schema.Literals(["user", "assistant", "system", "tool"])).check(
      Schema.isMinLength(1)
    )
  ),
  budget: Schema.Struct(bundleFieldNames.budget).check(Schema.isMinProperties(1)),
  onBudgetSpent: Schema.optionalKey(Schema.Literals(["match", "pass"])),
  ...traits
})

/** Throws a `RangeError` that names the check and the field at fault. */
export const layerContentChecks = (checks: Checks) => {
  for (const [name, check] of Object.entries(checks)) {
    const option = `contentChecks.${name}`
    if ("find" in check) decodeOption(option, FunctionFields, check)
    else decodeOption(option, DecisionFields, check)
  }
  return Layer.succeed(ContentChecks, new Map(Object.entries(checks)))
}

/** Connects the checks that ask models. Fails on models that are not there. */
export const layerAskingChecks = (checks: Checks, models: Options["models"]) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const configuration = (yield* Catalog).current()
      for (const [name, check] of Object.entries(checks)) {
        if ("find" in check || configuration.resolve(check.model) !== undefined) continue
        const known = configuration.models.map(({ id }) => id)
        const message = `contentChecks.${name}.model: ${check.model} is no model of this catalog; ${
          known.length === 0 ? "it is empty" : suggestNames(check.model, known)
        }`
        // A source may lose a model at any time, and the host must still start.
        if (Array.isArray(models)) throw new RangeError(message)
        yield* Effect.logWarning(message)
      }
      return layerDecisionChecks
    })
  )
