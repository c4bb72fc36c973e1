/** Calls the operations of the contract in process: the same decoders and handlers as over HTTP, without HTTP. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import type * as SchemaAST from "effect/SchemaAST"
import type * as Scope from "effect/Scope"
import { Callers, resolveCaller } from "../../auth/Callers.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { parseJson } from "../../values/json/parseJson.ts"
import { stringifyRequest } from "../../values/json/stringifyRequest.ts"
import { type ContractOperation, contractOperations } from "../api/contractOperations.ts"
import { toRequestTooLarge } from "../BodyReader.ts"
import { checkCaller } from "../checkCaller.ts"
import { Entity } from "../conditionalGet.ts"
import type { ExpectedError } from "../errors/toErrorResponse.ts"
import { type Operation, OperationTable } from "../OperationTable.ts"
import { Reply } from "../Reply.ts"
import type { RequestContext, SearchParams } from "../RequestContext.ts"
import { RoutingMetadataRecorder } from "../RoutingMetadataRecorder.ts"
import type { CallerOptions } from "./OperationCall.ts"
import type { EffectOperations, PromiseOperations, SignalOptions } from "./OperationFaces.ts"
import { operationNames } from "./operationNames.ts"

/** The operations of the contract, for Effect hosts. */
export class Operations extends Context.Service<Operations, EffectOperations>()(
  "@signalbox/core/http/operations/Operations"
) {
  static readonly layer: Layer.Layer<Operations, never, Callers | OperationTable> = Layer.effect(
    Operations,
    Effect.gen(function* () {
      const callers = yield* Callers
      const { find } = yield* OperationTable
      const calls = mapNames((id) => {
        const contract = contractOperations.find(({ group, name }) => `${group}.${name}` === id)
        const operation = contract && find(contract.group, contract.name)
        if (contract === undefined || operation === undefined) {
          throw new Error(`no handler answers ${id}`)
        }
        const call = makeCall(contract, operation)
        return (input: unknown, options: CallOptions = {}) =>
          Effect.provideService(call(input, options), Callers, callers)
      })
      // The names and the endpoints of `operationNames` are those that the types are derived from.
      return calls as unknown as EffectOperations
    })
  )
}

/** Makes the groups of functions that the names describe. */
export const mapNames = <A>(
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

interface CallOptions extends CallerOptions {
  readonly idempotencyKey?: string
}

const makeCall = (
  { endpoint: { method, params, path, query } }: ContractOperation,
  { decode, handle, requiredCaller }: Operation
): ((input: unknown, options: CallOptions) => Effect.Effect<unknown, ExpectedError, Callers>) => {
  const pathNames = listFieldNames(params?.ast)
  const queryNames = listFieldNames(query?.ast)
  return Effect.fnUntraced(function* (
    input,
    { caller: config, idempotencyKey, mount = "" }
  ): Effect.fn.Return<unknown, ExpectedError, Callers | Scope.Scope> {
    const { pathParameters, searchParams, body } = yield* splitInput(input, pathNames, queryNames)
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
        idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }
      ),
      internHostname: undefined,
      readBody: makeBodyReader(body),
      routing: new RoutingMetadataRecorder(Headers.empty)
    }
    return toResult(yield* handle(yield* decode(pathParameters, context), context))
  }, Effect.scoped)
}

const listFieldNames = (ast: SchemaAST.AST | undefined): ReadonlySet<string> =>
  new Set(ast?._tag === "Objects" ? ast.propertySignatures.map(({ name }) => String(name)) : [])

/** Divides an input into what stands in the path, in the query and in the body of a request. */
const splitInput = (
  input: unknown = {},
  pathNames: ReadonlySet<string>,
  queryNames: ReadonlySet<string>
) => {
  if (!Predicate.isObject(input) || Array.isArray(input)) return Effect.fail(notAnObject)
  const entries = Object.entries(input).filter(([, value]) => value !== undefined)
  return Effect.succeed({
    pathParameters: Object.fromEntries(
      entries.flatMap(([name, value]) => (pathNames.has(name) ? [[name, String(value)]] : []))
    ),
    searchParams: Object.fromEntries(
      entries.flatMap(([name, value]) => (queryNames.has(name) ? [[name, toText(value)]] : []))
    ) satisfies SearchParams,
    body: Object.fromEntries(
      entries.filter(([name]) => !pathNames.has(name) && !queryNames.has(name))
    )
  })
}

const notAnObject = new InvalidRequest({ path: [], problem: "the input must be an object" })

/** A value of a query as text: the rules of the contract read it as they read an address. */
const toText = (value: unknown): string | ReadonlyArray<string> =>
  Array.isArray(value) ? value.map(String) : String(value)

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
  return output instanceof Entity ? JSON.parse(new TextDecoder().decode(output.body)) : output
}
