/** Parses requests for embeddings, for HTTP and for calls in process. */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { findMediaProblem, isMediaPart } from "../../../engine/outbound/findMediaProblem.ts"
import type {
  EmbeddingInput,
  VectorEncoding
} from "../../../engine/upstreams/EmbeddingCapability.ts"
import type { SettingsShape } from "../../../instance/Settings.ts"
import { makeOneModelDecoder, type OneModelRequest } from "../../../routing/parseOneModelRequest.ts"
import { failInvalid, type ParseOptions, type ParseResult } from "../../../routing/parseRequest.ts"
import { InvalidRequest } from "../../../values/errors/RequestErrors.ts"
import { countUtf8Bytes } from "../../../values/json/JsonCost.ts"
import { estimateTextTokens } from "../../../values/usage/TokenUsage.ts"
import { findCountProblem } from "../../../values/validation/findCountProblem.ts"
import { makeFastDecoder } from "../../../values/validation/makeFastDecoder.ts"
import { embeddingFields } from "./EmbeddingRequest.ts"

type Path = ReadonlyArray<string | number>

/** The first item of a list decides the form of all. */
const parseInputs = (
  input: unknown,
  settings: SettingsShape
): Result.Result<ReadonlyArray<EmbeddingInput>, InvalidRequest> => {
  if (typeof input === "string") {
    return input === "" ? failInvalid(root, "must not be empty") : Result.succeed([input])
  }
  if (!Array.isArray(input)) {
    return failInvalid(
      root,
      "must be a text, a list of texts, token ids, or a list of objects with content"
    )
  }
  const [first] = input as ReadonlyArray<unknown>
  if (first === undefined) return failInvalid(root, "must have at least one item")
  if (typeof first === "number") return parseItem(findTokenProblem(root, input), [input])
  const tooMany = findCountProblem(input.length, "maxEmbeddingInputs", settings, root)
  if (tooMany !== undefined) return Result.fail(tooMany)
  const findProblem = chooseForm(first, settings)
  for (const [index, item] of input.entries()) {
    const problem = findProblem([...root, index], item)
    if (problem !== undefined) return Result.fail(problem)
  }
  return Result.succeed(input as ReadonlyArray<EmbeddingInput>)
}

const root: Path = ["input"]

type FindProblem = (path: Path, item: unknown) => InvalidRequest | undefined

const parseItem = (
  problem: InvalidRequest | undefined,
  inputs: ReadonlyArray<unknown>
): Result.Result<ReadonlyArray<EmbeddingInput>, InvalidRequest> =>
  problem === undefined
    ? Result.succeed(inputs as ReadonlyArray<EmbeddingInput>)
    : Result.fail(problem)

const chooseForm = (first: unknown, settings: SettingsShape): FindProblem => {
  if (typeof first === "string") return findTextProblem
  if (Array.isArray(first)) return findTokenProblem
  return (path, item) => findContentProblem(path, item, settings)
}

const invalid = (path: Path, problem: string): InvalidRequest =>
  new InvalidRequest({ path, problem })

const findTextProblem: FindProblem = (path, item) => {
  if (typeof item !== "string") return invalid(path, "must be a text, as the first item is")
  return item === "" ? invalid(path, "must not be empty") : undefined
}

const findTokenProblem: FindProblem = (path, item) => {
  if (!Array.isArray(item) || item.length === 0) {
    return invalid(path, "must be a list of token ids, as the first item is")
  }
  const at = item.findIndex((id) => !Number.isSafeInteger(id) || id < 0)
  return at === -1
    ? undefined
    : invalid([...path, at], "must be the id of a token, a whole number from 0")
}

const findContentProblem = (
  path: Path,
  item: unknown,
  settings: SettingsShape
): InvalidRequest | undefined => {
  const content = Predicate.isObject(item) ? item["content"] : undefined
  if (!Array.isArray(content) || content.length === 0) {
    return invalid(path, "must be a text, a list of token ids, or an object with parts in content")
  }
  const inside = [...path, "content"]
  const tooMany = findCountProblem(content.length, "maxContentParts", settings, inside)
  if (tooMany !== undefined) return tooMany
  for (const [index, part] of (content as ReadonlyArray<unknown>).entries()) {
    const problem = findPartProblem([...inside, index], part)
    if (problem !== undefined) return problem
  }
  const found = findMediaProblem(content, settings)
  return found === undefined ? undefined : invalid([...inside, ...found.path], found.problem)
}

const findPartProblem: FindProblem = (path, part) => {
  if (!Predicate.isObject(part) || typeof part["type"] !== "string" || part["type"] === "") {
    return invalid(path, "must be an object with a type, such as text or image_url")
  }
  return part["type"] === "text" && (typeof part["text"] !== "string" || part["text"] === "")
    ? invalid([...path, "text"], "must be a text that is not empty")
    : undefined
}

const RoutedFields = Schema.Struct(embeddingFields)

const decode = makeOneModelDecoder({
  decode: makeFastDecoder(RoutedFields),
  fieldNames: Object.keys(embeddingFields),
  items: "input",
  parseItems: parseInputs
})

/** A valid request; there is one vector for each item. */
export interface ParsedEmbedding extends OneModelRequest<typeof RoutedFields.Type, EmbeddingInput> {
  readonly encoding: VectorEncoding
  /** The estimated length of all inputs in tokens. */
  readonly inputTokens: number
  /** The same of the longest input, which the context length of a model limits. */
  readonly longestTokens: number
  /** The number of images in the inputs. */
  readonly images: number
}

export const decodeEmbeddingRequest = (
  json: unknown,
  options: ParseOptions
): ParseResult<ParsedEmbedding> =>
  Result.map(decode(json, options), (parsed) => {
    const tokens = parsed.items.map(estimateInputTokens)
    return {
      ...parsed,
      encoding: parsed.request.encoding_format ?? "float",
      inputTokens: tokens.reduce((sum, each) => sum + each, 0),
      longestTokens: tokens.reduce((most, each) => Math.max(most, each), 0),
      images: countImages(parsed.items)
    }
  })

/** A typical image. Providers differ, but the estimate only decides which endpoints have room for the request. */
const tokensPerMedium = 1_000

/** The approximate size of inputs in tokens: for plans, and where a provider reports no usage. */
export const estimateInputTokens = (input: EmbeddingInput): number => {
  if (typeof input === "string") return estimateTextTokens(countUtf8Bytes(input))
  if (!("content" in input)) return input.length
  return input.content.reduce(
    (tokens, part) =>
      tokens +
      (typeof part["text"] === "string"
        ? estimateTextTokens(countUtf8Bytes(part["text"]))
        : isMediaPart(part)
          ? tokensPerMedium
          : 0),
    0
  )
}

export const countImages = (inputs: ReadonlyArray<EmbeddingInput>): number =>
  inputs.reduce(
    (images, input) =>
      typeof input === "object" && "content" in input
        ? images + input.content.filter(({ type }) => imageTypes.has(type)).length
        : images,
    0
  )

const imageTypes: ReadonlySet<unknown> = new Set(["image_url", "input_image"])
