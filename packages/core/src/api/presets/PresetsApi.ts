/** Operations on presets. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { ChatRequest } from "../../domains/chat/request/ChatRequest.ts"
import { MessagesRequestSchema } from "../../domains/messages/MessagesRequest.ts"
import { isPresetSlug, slugForm } from "../../domains/presets/presetSlug.ts"
import {
  Preset,
  PresetPatch,
  PresetSummary,
  PresetVersion
} from "../../domains/presets/PresetSchemas.ts"
import { ResponsesRequest } from "../../domains/responses/ResponsesRequest.ts"
import { dataEnvelope, DeletedResponse, pageEnvelope } from "../contract/envelopes.ts"
import {
  Authentication,
  authenticatedErrors,
  BadRequest,
  Conflict,
  PayloadTooLarge,
  resourceErrors
} from "../contract/ErrorEnvelope.ts"
import { RawBody, RequiredCaller } from "../contract/operationAnnotations.ts"
import { parseOne, toParameter } from "../contract/ParameterRule.ts"
import { pageQuery } from "../contract/pageQueries.ts"

const path = "/api/v1/presets"
const ownPath = "/api/v1/signalbox/presets/:slug"

const slug = toParameter(Schema.String, {
  parse: parseOne((text) =>
    isPresetSlug(text) ? Result.succeed(text) : Result.fail(`must be ${slugForm}`)
  ),
  jsonSchema: { type: "string", minLength: 1, description: `The name of a preset: ${slugForm}.` }
})
const params = { slug }

const save = <const Name extends string, const Path extends string, Body extends Schema.Top>(
  name: Name,
  apiPath: Path,
  payload: Body,
  request: string
) =>
  HttpApiEndpoint.post(name, `${path}/:slug/${apiPath}`, {
    params,
    payload,
    success: dataEnvelope(Preset),
    error: [...resourceErrors, BadRequest, Conflict, PayloadTooLarge]
  })
    .annotate(
      OpenApi.Summary,
      `Store the settings of ${request} as a preset, or as the next version of one.`
    )
    .annotate(
      OpenApi.Description,
      `Store the settings of ${request} as a preset, or as the next version of one, which requests use from then on. Nothing is run. What is said, such as messages, is not stored, but the system prompt is.`
    )
    .annotate(RawBody, true)

export class PresetsApi extends HttpApiGroup.make("presets")
  .add(
    HttpApiEndpoint.get("list", path, {
      query: pageQuery,
      success: pageEnvelope(PresetSummary),
      error: [...authenticatedErrors, BadRequest]
    }).annotate(
      OpenApi.Summary,
      "List the presets of the workspace, last changed first, then those of the host."
    ),
    HttpApiEndpoint.get("get", `${path}/:slug`, {
      params,
      success: dataEnvelope(Preset),
      error: [...resourceErrors, BadRequest]
    }).annotate(OpenApi.Summary, "Get a preset with the version that requests use."),
    HttpApiEndpoint.get("listVersions", `${path}/:slug/versions`, {
      params,
      query: pageQuery,
      success: pageEnvelope(PresetVersion),
      error: [...resourceErrors, BadRequest]
    }).annotate(OpenApi.Summary, "List the versions of a preset, oldest first."),
    HttpApiEndpoint.get("getVersion", `${path}/:slug/versions/:version`, {
      params: { ...params, version: Schema.String },
      success: dataEnvelope(PresetVersion),
      error: [...resourceErrors, BadRequest]
    }).annotate(OpenApi.Summary, "Get a version of a preset by its number."),
    save("saveChat", "chat/completions", ChatRequest, "a chat"),
    save("saveMessages", "messages", MessagesRequestSchema, "a request to Anthropic's API"),
    save("saveResponses", "responses", ResponsesRequest, "a request to the Responses API"),
    HttpApiEndpoint.patch("update", ownPath, {
      params,
      payload: PresetPatch,
      success: dataEnvelope(Preset),
      error: [...resourceErrors, BadRequest, Conflict, PayloadTooLarge]
    })
      .annotate(RequiredCaller, "management")
      .annotate(
        OpenApi.Summary,
        "Rename, describe, disable, archive or activate a preset. Omitted fields keep their values."
      ),
    HttpApiEndpoint.delete("delete", ownPath, {
      params,
      success: DeletedResponse,
      error: [...resourceErrors, BadRequest, Conflict]
    })
      .annotate(RequiredCaller, "management")
      .annotate(OpenApi.Summary, "Delete a preset with its versions.")
  )
  .middleware(Authentication)
  .annotate(OpenApi.Title, "Presets") {}
