/** Passes on a request of Google's API unchanged, except for parts that the endpoint would refuse. */
import * as Result from "effect/Result"
import { isObject } from "../../values/json/guards.ts"
import { type UntranslatableRequest, failTranslation } from "../UntranslatableRequest.ts"
import type { NativeCall } from "../makeDialectChat.ts"
import { omitUnsupported, outputCap, type ParameterNames } from "../omitUnsupported.ts"
import { findText, isEmpty } from "../readField.ts"
import { replaceFields } from "../replaceFields.ts"
import { type Json, toCamelCase, toCamelName } from "./geminiFields.ts"
import { isGoogleUrl } from "./mediaTypes.ts"
import { isWrapped, uncheckedSignature } from "./thoughtSignatures.ts"
import { toTier } from "./writeRequest.ts"

type Path = ReadonlyArray<number | string>

export interface GeminiPassOptions {
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
