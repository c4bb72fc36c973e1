/** Decodes the input of an operation according to the contract. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import { Settings } from "../../instance/Settings.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { toInvalidRequest } from "../../values/errors/toInvalidRequest.ts"
import { toIgnoredRequest } from "../../values/errors/ignoredFields.ts"
import {
  type ContractGroup,
  type DefinedOperation,
  type Endpoint,
  listOperations
} from "../contract/Operation.ts"
import { BodyRules, type BodyRulesShape, RawBody } from "../contract/operationAnnotations.ts"
import { findParameterRule, type ParameterRule } from "../contract/ParameterRule.ts"
import { capBodyLimit, jsonLimit } from "../body/BodyLimit.ts"
import { findBodySize } from "../body/BodyRequest.ts"
import { isJson } from "../body/contentType.ts"
import type { BodyError } from "../body/readBody.ts"
import { makeFieldCheck } from "./FieldCheck.ts"
import type { RequestContext } from "./RequestContext.ts"
import * as Step from "../../values/Step.ts"

type PathParameters = Readonly<Record<string, string | undefined>>

/** The input of a handler, untyped; `Handler` has the types. */
export interface DecodedInput {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, unknown>>
  readonly payload: unknown
}

/** A compiled decoder may replace it, per operation. */
export type OperationDecoder = (
  params: PathParameters,
  context: RequestContext
) => Effect.Effect<DecodedInput, BodyError>

/** The endpoints of a group with their decoders, by the names of their operations. */
export const makeDecoders = (
  group: ContractGroup
): ReadonlyMap<string, { readonly endpoint: Endpoint; readonly decode: OperationDecoder }> =>
  new Map(
    listOperations(group).map((operation) => [
      operation.name,
      { endpoint: operation.endpoint, decode: makeOperationDecoder(operation) }
    ])
  )

const makeOperationDecoder = ({ annotations, endpoint }: DefinedOperation): OperationDecoder => {
  const { headers, params, payload, query } = endpoint
  const readParams = makeRecordReader(params)
  const readQuery = makeRecordReader(query)
  const readHeaders = makeRecordReader(headers)
  const queryNames = new Set(listFields(query?.ast).map(({ name }) => name))
  const readPayload = Context.get(annotations, RawBody)
    ? noPayload
    : makePayloadReader(
        endpoint,
        payload.get("application/json")?.schemas[0],
        Context.get(annotations, BodyRules)
      )
  return (pathParameters, context) => {
    const params = readParams(pathParameters)
    if (Result.isFailure(params)) return Effect.fail(params.failure)
    const query = readQuery(context.searchParams)
    if (Result.isFailure(query)) return Effect.fail(query.failure)
    const broken = findNul(query.success)
    if (broken !== undefined) return Effect.fail(broken)
    const headers = readHeaders(context.headers)
    if (Result.isFailure(headers)) return Effect.fail(headers.failure)
    const read = () =>
      Step.map(readPayload(context), (payload) => ({
        params: params.success,
        query: query.success,
        headers: headers.success,
        payload
      }))
    const unknown = listUnknown(context.searchParams, queryNames)
    return unknown === undefined ? read() : Step.flatMap(ignore(context, unknown), read)
  }
}

/** Postgres refuses U+0000 in a text: https://www.postgresql.org/docs/current/datatype-character.html. */
const findNul = (query: Readonly<Record<string, unknown>>): InvalidRequest | undefined => {
  for (const name in query) {
    const value = query[name]
    const texts: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value]
    if (texts.some((text) => typeof text === "string" && text.includes("\0"))) {
      return new InvalidRequest({ path: [name], problem: "must not contain U+0000" })
    }
  }
  return undefined
}

/** Undefined: the operation has all parameters of the query. */
const listUnknown = (
  given: RequestContext["searchParams"],
  known: ReadonlySet<string>
): ReadonlyArray<string> | undefined => {
  let unknown: Array<string> | undefined
  for (const name in given) {
    if (!known.has(name) && !sentByClients.has(name)) (unknown ??= []).push(name)
  }
  return unknown
}

/**
 * Anthropic's client marks requests of its beta API by `beta`, beside the header that counts. The others page its list of
 * models, which is another form of a list of the contract.
 */
const sentByClients: ReadonlySet<string> = new Set(["after_id", "before_id", "beta"])

type PayloadReader = (context: RequestContext) => Effect.Effect<unknown, BodyError>

const noPayload: PayloadReader = () => Effect.undefined

/** The body is not read, so it is named as a whole; `{}`, which some clients always send, asks for nothing. */
const ignoreBody: PayloadReader = (context) =>
  findBodySize(context.headers) > 2 ? ignore(context, ["body"]) : Effect.undefined

/** Tells the fields that have no effect, or refuses the request because of them. */
const ignore = (
  { routing }: RequestContext,
  names: ReadonlyArray<string>
): Effect.Effect<undefined, InvalidRequest> => {
  routing.onIgnored(names)
  return Effect.flatMap(Settings, ({ refuseIgnoredFields }) =>
    (routing.isStrict ?? refuseIgnoredFields)
      ? Effect.fail(toIgnoredRequest(names))
      : Effect.undefined
  )
}

const makePayloadReader = (
  endpoint: Endpoint,
  schema: Schema.Top | undefined,
  rules: BodyRulesShape
): PayloadReader => {
  const {
    hasStrictContentType = false,
    maxBytes = Infinity,
    mustBeEmpty = false,
    whenEmpty
  } = rules
  if (schema === undefined && !mustBeEmpty) return ignoreBody
  const options = {
    ...(whenEmpty === undefined ? undefined : { whenEmpty }),
    hasJsonContentType: hasStrictContentType ? isStrictJson : isJson
  }
  const readJson = (context: RequestContext) =>
    Effect.flatMap(Settings, (settings) =>
      context.readBody(capBodyLimit(jsonLimit(settings), maxBytes), options)
    )
  if (schema === undefined) {
    return (context) => Effect.flatMap(readJson(context), ({ json }) => requireEmptyObject(json))
  }
  const decode = Schema.decodeUnknownEffect(toPlainCodec(schema))
  const fields = makeFieldCheck(endpoint, schema, rules)
  return (context) =>
    Effect.flatMap(readJson(context), ({ json }) => {
      const problem = fields.findProblem(json)
      if (problem !== undefined) return Effect.fail(problem)
      const ignored = fields.listIgnored(json)
      const decoding = Effect.mapError(decode(json), toInvalidRequest)
      return ignored.length === 0 ? decoding : Effect.andThen(ignore(context, ignored), decoding)
    })
}

/** The contract's codecs need no services, which the types of endpoints do not express. */
const toPlainCodec = (schema: Schema.Top): Schema.Codec<unknown, unknown> =>
  schema as Schema.Codec<unknown, unknown>

const isStrictJson = (headers: RequestContext["headers"]): boolean =>
  /^\s*application\/json\s*(?:;|$)/i.test(headers["content-type"] ?? "")

const requireEmptyObject = (json: unknown): Effect.Effect<undefined, InvalidRequest> => {
  const isObject = typeof json === "object" && json !== null && !Array.isArray(json)
  const path = isObject ? Object.keys(json).slice(0, 1) : []
  return isObject && path.length === 0
    ? Effect.undefined
    : Effect.fail(new InvalidRequest({ path, problem: "this operation takes no body" }))
}

type RecordReader = (
  given: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
) => Result.Result<Readonly<Record<string, unknown>>, InvalidRequest>

interface Field {
  readonly name: string
  /** Without a rule, the text is the value. */
  readonly rule: ParameterRule | undefined
  readonly isOptional: boolean
}

const emptyRecord: ReturnType<RecordReader> = Result.succeed({})

const makeRecordReader = (schema: Schema.Top | undefined): RecordReader => {
  const fields = listFields(schema?.ast)
  if (fields.length === 0) return () => emptyRecord
  return (given) => {
    const read: Record<string, unknown> = {}
    for (const { isOptional, name, rule } of fields) {
      const value = Object.hasOwn(given, name) ? given[name] : undefined
      if (rule === undefined) {
        const text = typeof value === "object" ? value[0] : value
        if (text !== undefined) read[name] = text
        else if (!isOptional) return failMissing(name)
        continue
      }
      const parsed = rule.parse(toList(value))
      if (Result.isFailure(parsed)) {
        return Result.fail(new InvalidRequest({ path: [name], problem: parsed.failure }))
      }
      if (parsed.success !== undefined) read[name] = parsed.success
      else if (!isOptional) return failMissing(name)
    }
    return Result.succeed(read)
  }
}

const failMissing = (name: string) =>
  Result.fail(new InvalidRequest({ path: [name], problem: "is missing" }))

const toList = (value: string | ReadonlyArray<string> | undefined): ReadonlyArray<string> =>
  value === undefined ? [] : typeof value === "string" ? [value] : value

const listFields = (ast: SchemaAST.AST | undefined): ReadonlyArray<Field> =>
  ast?._tag === "Objects"
    ? ast.propertySignatures.map(({ name, type }) => ({
        name: String(name),
        rule: findParameterRule(type),
        isOptional: type.context?.isOptional === true
      }))
    : []
