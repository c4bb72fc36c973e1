/** Chats at a provider with Google's API to generate content: Gemini, and the same models on Vertex. */
import * as Result from "effect/Result"
import type { ChatCapability } from "../../engine/upstreams/ChatCapability.ts"
import { isObject } from "../../values/json/guards.ts"
import {
  failTranslation,
  findText,
  isEmpty,
  type UntranslatableRequest
} from "../UntranslatableRequest.ts"
import {
  type ChatDialect,
  type DialectEndpoint,
  makeDialectChat,
  type NativeCall
} from "../makeDialectChat.ts"
import { omitUnsupported, outputCap, type ParameterNames } from "../omitUnsupported.ts"
import { rememberModels } from "../rememberModels.ts"
import { replaceFields } from "../RequestChanges.ts"
import { findGeminiModel, type GeminiModel, type GeminiModels } from "./GeminiModel.ts"
import { toGeminiFailure } from "./findGeminiFailure.ts"
import { type Json, toCamelCase, toCamelName } from "./geminiFields.ts"
import { isGoogleUrl } from "./mediaTypes.ts"
import { parseGeminiAnswer } from "./readAnswer.ts"
import { makeGeminiEventReader } from "./readEvents.ts"
import { isWrapped, uncheckedSignature } from "./thoughtSignatures.ts"
import { toTier, writeGeminiRequest } from "./writeRequest.ts"

/** The address of a provider, and its credential. */
export interface GeminiEndpoint extends Omit<
  DialectEndpoint,
  "dialect" | "getUrl" | "maxOutputTokens"
> {
  /** The URL under which the models are, such as `https://generativelanguage.googleapis.com/v1beta/models`. */
  readonly modelsUrl: string
  /** Facts about models, which take precedence over the built-in ones. */
  readonly models?: GeminiModels | undefined
  /** The maximum length of an answer in tokens, unless the call sets one. Default: the model's maximum. */
  readonly maxOutputTokens?: number | undefined
}

/**
 * Each call is one request to `{modelsUrl}/{model}:generateContent`, or to `:streamGenerateContent` for server-sent events.
 * Without `keyHeader` the key is sent as `Authorization: Bearer`. The API cannot forbid parallel calls, so that is left out.
 */
export const makeGeminiChat = (endpoint: GeminiEndpoint): ChatCapability => {
  const { maxOutputTokens, models, modelsUrl } = endpoint
  const findModel = rememberModels((model) => findGeminiModel(model, models))
  return makeDialectChat({
    ...endpoint,
    getUrl: (model, isStreamed) =>
      `${modelsUrl}/${encodeURIComponent(model)}:${isStreamed ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    maxOutputTokens: maxOutputTokens ?? ((model: string) => findModel(model).maxOutputTokens),
    dialect: makeGeminiDialect(findModel)
  })
}

const makeGeminiDialect = (findModel: (model: string) => GeminiModel): ChatDialect => ({
  writeRequest: (conversation, { model }, changes) => {
    const { needsSignatures, takesResultMedia, takesUrls, thinking } = findModel(model)
    return writeGeminiRequest(conversation, {
      changes,
      needsSignatures,
      takesResultMedia,
      takesUrls,
      thinking
    })
  },
  name: "gemini",
  // The URL names the model and the form of the answer.
  passOn: (body, call) => passOnGemini(body, call, findModel(call.model)),
  parseAnswer: parseGeminiAnswer,
  makeEventReader: makeGeminiEventReader,
  toFailure: toGeminiFailure,
  reasoningFamily: "google"
})

type Path = ReadonlyArray<number | string>

interface GeminiPassOptions {
  /** Whether the model refuses a call of the current turn without a signature. */
  readonly needsSignatures: boolean
  /** Whether media may be URLs of any public host. */
  readonly takesUrls: boolean
}

/**
 * Left out are thoughts and signatures of other providers, with contents that hold nothing else. A call that another
 * provider signed gets the signature that skips the check.
 */
export const passOnGemini = (
  body: Json,
  { serviceTier, supportedParameters }: NativeCall,
  { needsSignatures, takesUrls }: GeminiPassOptions
): Result.Result<Json, UntranslatableRequest> => {
  const { contents } = body
  const url = takesUrls ? undefined : findUrl(contents, ["contents"])
  if (url !== undefined) {
    return failTranslation(url, "is a URL, which this provider does not take; send base64")
  }
  const supported = omitUnsupported(body, parameterNames, supportedParameters, toCamelName)
  const fields = Object.keys(supported)
  const configName = fields.find((name) => toCamelName(name) === "generationConfig")
  const config = configName === undefined ? undefined : supported[configName]
  const passedConfig = isObject(config)
    ? omitUnsupported(config, configNames, supportedParameters, toCamelName)
    : config
  const tier = toTier(serviceTier)
  const tierName = fields.find((name) => toCamelName(name) === "serviceTier") ?? "serviceTier"
  return Result.succeed(
    replaceFields(supported, {
      ...(tier === undefined ? undefined : { [tierName]: tier }),
      ...(configName === undefined || passedConfig === config
        ? undefined
        : {
            [configName]: isObject(passedConfig) && isEmpty(passedConfig) ? undefined : passedConfig
          }),
      ...(Array.isArray(contents)
        ? { contents: contents.flatMap((content) => passContent(content, needsSignatures)) }
        : undefined)
    })
  )
}

const parameterNames: ParameterNames = new Map([
  ["serviceTier", "service_tier"],
  ["toolConfig", "tools"],
  ["tools", "tools"]
])

const configNames: ParameterNames = new Map([
  ["candidateCount", "n"],
  ["frequencyPenalty", "frequency_penalty"],
  ["imageConfig", "image_config"],
  ["logprobs", "top_logprobs"],
  ["maxOutputTokens", outputCap],
  ["presencePenalty", "presence_penalty"],
  ["responseJsonSchema", "response_format"],
  ["responseLogprobs", "logprobs"],
  ["responseMimeType", "response_format"],
  ["responseModalities", "modalities"],
  ["responseSchema", "response_format"],
  ["seed", "seed"],
  ["speechConfig", "audio"],
  ["stopSequences", "stop"],
  ["temperature", "temperature"],
  ["thinkingConfig", "reasoning"],
  ["topK", "top_k"],
  ["topP", "top_p"]
])

const passContent = (content: unknown, needsSignatures: boolean): ReadonlyArray<unknown> => {
  if (!isObject(content) || !Array.isArray(content["parts"])) return [content]
  const { parts } = content
  if (!parts.some((part) => findWrapped(part) !== undefined)) return [content]
  const passed: Array<unknown> = []
  for (const part of parts) {
    const signature = findWrapped(part)
    if (!isObject(part) || signature === undefined) {
      passed.push(part)
      continue
    }
    const { functionCall, text, thought } = toCamelCase(part)
    if (thought === true && text === "") {
      // The last piece of a streamed thought, which has the signature of all of them.
      while (isUnsignedThought(passed.at(-1))) passed.pop()
      continue
    }
    if (text !== undefined && (text === "" || thought === true)) continue
    const isChecked = functionCall !== undefined && needsSignatures
    passed.push(replaceFields(part, { [signature]: isChecked ? uncheckedSignature : undefined }))
  }
  return passed.length === 0 ? [] : [replaceFields(content, { parts: passed })]
}

/** The name of the field with another provider's signature. */
const findWrapped = (part: unknown): string | undefined =>
  isObject(part) ? signatureNames.find((name) => isWrapped(part[name])) : undefined

const signatureNames: ReadonlyArray<string> = ["thoughtSignature", "thought_signature"]

const isUnsignedThought = (part: unknown): boolean =>
  isObject(part) &&
  part["thought"] === true &&
  signatureNames.every((name) => !Object.hasOwn(part, name))

/** The path of the first URL that some models refuse: also in the results of functions. */
const findUrl = (list: unknown, path: Path): Path | undefined => {
  if (!Array.isArray(list)) return undefined
  for (const [index, item] of list.entries()) {
    if (!isObject(item)) continue
    const { fileData, functionResponse, parts } = toCamelCase(item)
    const uri = isObject(fileData) ? findText(toCamelCase(fileData), "fileUri") : undefined
    if (uri !== undefined && !isGoogleUrl(uri)) return [...path, index]
    const found =
      findUrl(parts, [...path, index, "parts"]) ??
      (isObject(functionResponse)
        ? findUrl(functionResponse["parts"], [...path, index, "functionResponse", "parts"])
        : undefined)
    if (found !== undefined) return found
  }
  return undefined
}
