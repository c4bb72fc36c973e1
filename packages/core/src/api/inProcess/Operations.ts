/** Calls operations in process with the decoders and handlers of the HTTP API. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { memoize } from "effect/Function"
import * as Headers from "effect/http/Headers"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import type * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import type * as Scope from "effect/Scope"
import { Callers, resolveCaller } from "../../tenants/auth/Callers.ts"
import type { ByteRange } from "../../engine/upstreams/VideoReport.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { parseJson, stringifyRequest } from "../../values/json/parseJson.ts"
import { toRequestTooLarge } from "../body/BodyReader.ts"
import type { Endpoint } from "../contract/Operation.ts"
import type { ExpectedError } from "../errors/errorTable.ts"
import { checkCaller } from "../../tenants/auth/permissions.ts"
import { JsonAnswer } from "../operation/JsonAnswer.ts"
import { Entity, Reply, StreamedReply } from "../operation/Reply.ts"
import type { RequestContext } from "../operation/RequestContext.ts"
import { RoutingMetadataRecorder } from "../operation/RoutingMetadataRecorder.ts"
import { parseByteRange } from "../videos/contentResponse.ts"
import { contractOperations } from "../contractOperations.ts"
import { type BoundHandler, HandlerTable } from "../server/HandlerTable.ts"
import {
  type CallerOptions,
  type DownloadOptions,
  type EffectOperations,
  groupsCalledOtherwise,
  type PromiseOperations,
  type RepresentationField,
  type SignalOptions
} from "./Calls.ts"

/** The operations of the contract, for Effect hosts. */
export class Operations extends Context.Service<Operations, EffectOperations>()(
  "@signalbox/core/api/inProcess/Operations"
) {
  static readonly layer = Layer.effect(
    Operations,
    Effect.gen(function* () {
      const callers = yield* Callers
      const { find } = yield* HandlerTable
      const groups: Record<string, Record<string, Call>> = {}
      for (const operation of contractOperations) {
        if (calledOtherwise.has(operation.group)) continue
        const group = (groups[operation.group] ??= {})
        group[operation.name] = (input = {}, options = {}) =>
          Effect.suspend(() => find(operation)).pipe(
            Effect.flatMap((handler) => toCall(handler)(input, options)),
            Effect.provideService(Callers, callers)
          )
      }
      // Safe: `EffectOperations` is derived from the same contract.
      return groups as unknown as EffectOperations
    })
  )
}

const calledOtherwise: ReadonlySet<string> = new Set(groupsCalledOtherwise)

/** Converts the operations to promises. `run` runs the effect that `begin` returns. */
export const toPromiseOperations = (
  operations: EffectOperations,
  run: <A>(
    options: SignalOptions | undefined,
    begin: () => Effect.Effect<A, ExpectedError>
  ) => Promise<A>
): PromiseOperations => {
  const groups = operations as unknown as Readonly<Record<string, Readonly<Record<string, Call>>>>
  const promises = Record.map(groups, (calls) =>
    Record.map(
      calls,
      (call) => (input: unknown, options?: CallOptions & SignalOptions) =>
        run(options, () => Effect.scoped(call(input, options)))
    )
  )
  // Safe: derived from the same contract.
  return promises as unknown as PromiseOperations
}

type Call = (
  input?: unknown,
  options?: CallOptions
) => Effect.Effect<unknown, ExpectedError, Scope.Scope>

interface CallOptions extends CallerOptions, DownloadOptions {
  readonly idempotencyKey?: string
}

const toCall = memoize(({ decode, endpoint, handle, operation }: BoundHandler) => {
  const { method, path, requiredCaller } = operation
  const { params, payload, query, success } = endpoint ?? noInput
  const pathNames = listFieldNames(params?.ast)
  const queryNames = listFieldNames(query?.ast)
  const isStreamed = [...success].some(isStream)
  const run = Effect.fnUntraced(function* (
    input: unknown,
    { caller: config, idempotencyKey, mount = "", range }: CallOptions
  ): Effect.fn.Return<unknown, ExpectedError, Callers | Scope.Scope> {
    const { pathParameters, searchParams, body } = yield* splitInput(
      input,
      pathNames,
      queryNames,
      payload.size > 0
    )
    const caller = yield* resolveCaller(config)
    const problem = checkCaller(requiredCaller, caller)
    if (problem !== undefined) return yield* problem
    const rangeHeader = range === undefined ? {} : { range: toRangeHeader(range) }
    // A request with an invalid range gets the whole file, as RFC 9110 says. A call would not expect it.
    if (range !== undefined && parseByteRange({ headers: rangeHeader, method }) === undefined) {
      return yield* invalidRange
    }
    const context: RequestContext = {
      isInProcess: true,
      caller,
      method,
      mount,
      path,
      searchParams,
      headers: Headers.fromRecordUnsafe({
        "content-type": "application/json",
        ...(idempotencyKey === undefined ? undefined : { "idempotency-key": idempotencyKey }),
        ...rangeHeader
      }),
      internHostname: undefined,
      request: undefined,
      readBody: makeBodyReader(isStreamed ? { ...body, stream: true } : body),
      scope: yield* Effect.scope,
      routing: new RoutingMetadataRecorder(Headers.empty)
    }
    return toResult(yield* handle(yield* decode(pathParameters, context), context))
  })
  // A stream lives in the scope of its reader.
  return isStreamed
    ? run
    : (input: unknown, options: CallOptions) => Effect.scoped(run(input, options))
})

/** An operation without an endpoint takes no input in process. */
const noInput: Pick<Endpoint, "params" | "payload" | "query" | "success"> = {
  params: undefined,
  payload: new Map(),
  query: undefined,
  success: new Set()
}

/** Schemas of streams have a tag; all others have none. */
const isStream = (schema: Schema.Top): boolean =>
  Predicate.hasProperty(schema, "_tag") && String(schema._tag).startsWith("Stream")

const invalidRange = new InvalidRequest({
  path: ["range"],
  problem: "must be { first, last } or { suffix } in whole bytes, with last at or after first"
})

/** RFC 9110, section 14.1.2. */
const toRangeHeader = (range: ByteRange): string =>
  "suffix" in range ? `bytes=-${range.suffix}` : `bytes=${range.first}-${range.last ?? ""}`

const representationFields: ReadonlySet<string> = new Set<RepresentationField>([
  "stream",
  "use_rss",
  "use_rss_chat_links"
])

const listFieldNames = (ast: SchemaAST.AST | undefined): ReadonlySet<string> =>
  new Set(ast?._tag === "Objects" ? ast.propertySignatures.map(({ name }) => String(name)) : [])

/** Splits an input into the path parameters, the query and the body of a request. */
const splitInput = Effect.fnUntraced(function* (
  input: unknown,
  pathNames: ReadonlySet<string>,
  queryNames: ReadonlySet<string>,
  hasBody: boolean
) {
  if (!Predicate.isObject(input) || Array.isArray(input)) return yield* notAnObject
  const pathParameters: Array<[string, string]> = []
  const searchParams: Array<[string, string | ReadonlyArray<string>]> = []
  const body: Array<[string, unknown]> = []
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue
    if (pathNames.has(name)) pathParameters.push([name, toText(value)])
    else if (queryNames.has(name) && !representationFields.has(name))
      searchParams.push([name, Array.isArray(value) ? value.map(toText) : toText(value)])
    else if (hasBody) body.push([name, value])
    // Rejected, because a misspelt filter would return everything.
    else
      return yield* new InvalidRequest({ path: [name], problem: "the operation has no such field" })
  }
  return {
    pathParameters: Object.fromEntries(pathParameters),
    searchParams: Object.fromEntries(searchParams),
    body: Object.fromEntries(body)
  }
})

const notAnObject = new InvalidRequest({ path: [], problem: "the input must be an object" })

/** Encodes a value as in a URL, because the parameter rules of the contract parse text. */
const toText = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value)

/** Bodies pass through JSON and the limits of requests, so calls fail exactly where requests do. */
const makeBodyReader = (body: Readonly<Record<string, unknown>>): RequestContext["readBody"] =>
  Effect.fnUntraced(function* ({ bytes: maxBytes, depth, setting }) {
    const { bytes, text } = yield* stringifyRequest(body)
    if (bytes > maxBytes) return yield* toRequestTooLarge(maxBytes, setting)
    return { bytes, json: yield* Effect.fromResult(parseJson(text, depth)) }
  })

/** The body of a success, without its status. */
const toResult = (output: unknown): unknown => {
  if (output instanceof Reply) return output.body
  if (output instanceof StreamedReply) return output.value
  if (output instanceof JsonAnswer) return JSON.parse(output.text)
  if (output instanceof Entity) return JSON.parse(new TextDecoder().decode(output.body))
  return HttpServerResponse.isHttpServerResponse(output) && output.body._tag === "Uint8Array"
    ? new TextDecoder().decode(output.body.body)
    : output
}
