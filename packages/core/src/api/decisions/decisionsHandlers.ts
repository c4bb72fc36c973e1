/** Handlers of the Decision operation, which is served at three paths. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { decisionLimit } from "../body/BodyLimit.ts"
import { isJson } from "../body/contentType.ts"
import type { JsonBody } from "../body/readBody.ts"
import type { ExpectedError } from "../errors/errorTable.ts"
import { toGenerationIdHeader } from "../errors/responseHeaders.ts"
import { NotJson } from "../errors/HttpErrors.ts"
import type { Handlers } from "../operation/Handler.ts"
import { type AnyResponse, JsonAnswer } from "../operation/JsonAnswer.ts"
import type { RequestContext } from "../operation/RequestContext.ts"
import { Settings } from "../../instance/Settings.ts"
import { Decisions } from "../../domains/decisions/Decisions.ts"
import { decodeDecisionRequest } from "../../domains/decisions/parseDecisionRequest.ts"
import type { DecisionsApi } from "./DecisionsApi.ts"
import { namesPreset } from "../../domains/presets/namesPreset.ts"
import type { PresetBody } from "../../domains/presets/Preset.ts"
import { Presets } from "../../domains/presets/Presets.ts"
import * as Step from "../../values/Step.ts"

export const decisionsHandlers = Effect.gen(function* () {
  const decisions = yield* Decisions
  const presets = yield* Presets
  const settings = yield* Settings
  const limit = decisionLimit(settings)

  const create = (
    _: unknown,
    { caller, headers, readBody, routing }: RequestContext
  ): Effect.Effect<AnyResponse, ExpectedError> => {
    if (!isJson(headers)) return Effect.fail(new NotJson())
    const decide = ({
      bytes,
      json,
      preset
    }: JsonBody & Partial<PresetBody>): Effect.Effect<AnyResponse, ExpectedError> => {
      const parsed = decodeDecisionRequest(json, {
        bytes,
        session: headers["x-session-id"],
        settings,
        preset
      })
      if (Result.isFailure(parsed)) return Effect.fail(parsed.failure)
      const observer = routing.observeModel(parsed.success.request.model)
      return Step.map(
        decisions.submit(caller, parsed.success, observer),
        (decision) =>
          new JsonAnswer(
            routing.addMetadata(decision),
            decision.id === undefined ? {} : toGenerationIdHeader(decision.id)
          )
      )
    }
    return Step.flatMap(readBody(limit), (body) =>
      namesPreset(body.json)
        ? Effect.flatMap(presets.apply(caller, "decisions", body), decide)
        : decide(body)
    )
  }

  return { create, createUnderBase: create, systemone: create } satisfies Handlers<
    typeof DecisionsApi
  >
})
