/** Calls the operations of the contract in process: the same decoders and handlers as over HTTP, without HTTP. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import type * as SchemaAST from "effect/SchemaAST"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { Callers, resolveCaller } from "../../auth/Callers.ts"
import { InternChats } from "../../interns/chat/InternChats.ts"
import { parseTurn } from "../../interns/chat/parseTurn.ts"
import { Interns } from "../../interns/Interns.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { parseJson } from "../../values/json/parseJson.ts"
import { stringifyRequest } from "../../values/json/stringifyRequest.ts"
import { Videos } from "../../videos/Videos.ts"
import type { ContractOperation } from "../contract/ContractOperation.ts"
import { contractOperations } from "../contractOperations.ts"
import { toRequestTooLarge } from "../body/BodyReader.ts"
import { checkCaller } from "../operation/checkCaller.ts"
import { Entity } from "../operation/conditionalGet.ts"
import type { ExpectedError } from "../errors/toErrorResponse.ts"
import { toVideoOwner } from "../../videos/http/videosHandlers.ts"
import type { DecodedInput } from "../operation/OperationDecoder.ts"
import type { OperationInput } from "../operation/OperationInput.ts"
import { type Operation, OperationTable } from "../server/OperationTable.ts"
import { Reply } from "../operation/Reply.ts"
import type { RequestContext } from "../operation/RequestContext.ts"
import { RoutingMetadataRecorder } from "../operation/RoutingMetadataRecorder.ts"
import type { CallerOptions } from "./OperationCall.ts"
import {
  type DownloadOptions,
  type EffectOperations,
  type PromiseOperations,
  type RepresentationField,
  type SignalOptions
} from "./OperationFaces.ts"
import { type EndpointOf, operationNames } from "./operationNames.ts"

/** The operations of the contract, for Effect hosts. */
export class Operations extends Context.Service<Operations, EffectOperations>()(
  "@signalbox/core/http/inProcess/Operations"
) {
  static readonly layer: Layer.Layer<
    Operations,
    never,
    Callers | InternChats | Interns | OperationTable | Videos
  > = Layer.effect(
    Operations,
    Effect.gen(function* () {
      const callers = yield* Callers
      const { find } = yield* OperationTable
      const streamed = yield* makeStreamedHandlers
      const calls = mapNames((id) => {
        const contract = contractOperations.find(({ group, name }) => `${group}.${name}` === id)!
        const operation = find(contract)
        const handle = streamed[id]
        const call = makeCall(contract, operation, handle)
        return (input: unknown = {}, options: CallOptions = {}) =>
          Effect.provideService(
            // The scope of a stream is its reader's.
            handle === undefined ? Effect.scoped(call(input, options)) : call(input, options),
            Callers,
            callers
          )
      })
      // The types are derived from the same names and endpoints.
      return calls as unknown as EffectOperations
    })
  )
}

type Handle = (
  input: DecodedInput,
  context: RequestContext,
  options: CallOptions
) => Effect.Effect<unknown, ExpectedError, Scope.Scope>

/** Handlers of the operations whose responses over HTTP are streams of bytes. */
const makeStreamedHandlers = Effect.gen(function* () {
  const chats = yield* InternChats
  const interns = yield* Interns
  const videos = yield* Videos
  const handlers: Readonly<Record<string, Handle>> = {
    "videos.content": (decoded, { caller }, { range }) => {
      // The decoder of this operation made the input.
      const { params, query } = decoded as OperationInput<EndpointOf<"videos.content">>
      return videos.getContent(toVideoOwner(caller), params.jobId, { index: query.index, range })
    },
    "internChats.chat": Effect.fnUntraced(function* (decoded, { caller }) {
      const { params, payload } = decoded as OperationInput<EndpointOf<"internChats.chat">>
      const turn = yield* Effect.fromResult(parseTurn(payload))
      const answer = yield* chats.chat(caller, yield* interns.find(caller, params.internId), turn)
      return answer.type === "steered" ? Stream.empty : answer.chunks
    })
  }
  return handlers
})

/** Makes the groups of functions that the names describe. */
const mapNames = <A>(
  make: (id: string, group: string, name: string) => A
): Readonly<Record<string, Readonly<Record<string, A>>>> =>
  Object.fromEntries(
    Object.entries<Readonly<Record<string, string>>>(operationNames).map(([group, names]) => [
      group,
      Object.fromEntries(Object.entries(names).map(([name, id]) => [name, make(id, group, name)]))
    ])
  )

/** The operations with promises: `run` runs what a call with these options begins. */
export const toPromiseOperations = (
  operations: EffectOperations,
  run: <A>(
    options: SignalOptions | undefined,
    begin: () => Effect.Effect<A, ExpectedError>
  ) => Promise<A>
): PromiseOperations => {
  // `Operations.layer` made exactly these groups.
  const groups = operations as unknown as ReturnType<typeof mapNames<Call>>
  const promises = mapNames(
    (_, group, name) => (input: unknown, options?: CallOptions & SignalOptions) =>
      run(options, () => groups[group]![name]!(input, options))
  )
  return promises as unknown as PromiseOperations
}

type Call = (input: unknown, options?: CallOptions) => Effect.Effect<unknown, ExpectedError>

interface CallOptions extends CallerOptions, DownloadOptions {
  readonly idempotencyKey?: string
}

const makeCall = (
  { endpoint: { method, params, path, payload, query }, group, name }: ContractOperation,
  { decode, handle, requiredCaller }: Operation,
  stream: Handle | undefined
) => {
  const pathNames = listFieldNames(params?.ast)
  const queryNames = listFieldNames(query?.ast)
  // Over HTTP an intern is created in the workspace that the request names; in process the caller names it.
  const namesWorkspace = group === "interns" && name === "create"
  return Effect.fnUntraced(function* (
    input: unknown,
    options: CallOptions
  ): Effect.fn.Return<unknown, ExpectedError, Callers | Scope.Scope> {
    const { caller: config, idempotencyKey, mount = "" } = options
    const { pathParameters, searchParams, body } = yield* splitInput(
      input,
      pathNames,
      queryNames,
      payload.size > 0
    )
    const caller = yield* resolveCaller(config)
    const problem = checkCaller(requiredCaller, caller)
    if (problem !== undefined) return yield* problem
    const context: RequestContext = {
      caller,
      method,
      mount,
      path,
      searchParams,
      headers: Headers.fromRecordUnsafe(
        idempotencyKey === undefined ? json : { ...json, "idempotency-key": idempotencyKey }
      ),
      internHostname: undefined,
      readBody: makeBodyReader({
        ...(namesWorkspace ? { workspace_id: caller.workspace } : undefined),
        ...body,
        ...(stream === undefined ? undefined : { stream: true })
      }),
      routing: new RoutingMetadataRecorder(Headers.empty)
    }
    return toResult(
      yield* (stream ?? handle)(yield* decode(pathParameters, context), context, options)
    )
  })
}

const representationFields: ReadonlySet<string> = new Set<RepresentationField>([
  "stream",
  "use_rss",
  "use_rss_chat_links"
])

const json = { "content-type": "application/json" }

const listFieldNames = (ast: SchemaAST.AST | undefined): ReadonlySet<string> =>
  new Set(ast?._tag === "Objects" ? ast.propertySignatures.map(({ name }) => String(name)) : [])

/** Divides an input into what stands in the path, in the query and in the body of a request. */
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
    // A filter that is misspelt must not return everything.
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

/** A value as an address has it: the rules of the contract read it as they read a request. */
const toText = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value)

/** Bodies go through JSON and the limits of requests, so that a call fails on what a request fails on. */
const makeBodyReader = (body: Readonly<Record<string, unknown>>): RequestContext["readBody"] =>
  Effect.fnUntraced(function* ({ bytes: maxBytes, depth, setting }) {
    const { bytes, text } = yield* stringifyRequest(body)
    if (bytes > maxBytes) return yield* toRequestTooLarge(maxBytes, setting)
    return { bytes, json: yield* Effect.fromResult(parseJson(text, depth)) }
  })

/** The body of a success, without its status. */
const toResult = (output: unknown): unknown => {
  if (output instanceof Reply) return output.body
  if (output instanceof Entity) return JSON.parse(new TextDecoder().decode(output.body))
  return HttpServerResponse.isHttpServerResponse(output) && output.body._tag === "Uint8Array"
    ? new TextDecoder().decode(output.body.body)
    : output
}
