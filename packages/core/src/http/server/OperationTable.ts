/** The operations of the contract with their decoders and handlers. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { CallerRequirement } from "../../auth/permissions.ts"
import {
  type ContractOperation,
  type Endpoint,
  resolveStatus,
  toOperationKey
} from "../contract/ContractOperation.ts"
import { contractOperations, type OperationId } from "../contractOperations.ts"
import {
  BodyRules,
  NoStore,
  RequiredCaller,
  RequiresInternAccess,
  TimeLimited,
  type TimeLimit
} from "../contract/operationAnnotations.ts"
import type { ExpectedError } from "../errors/errorTable.ts"
import { domainHandlers } from "../../domains.ts"
import {
  type DecodedInput,
  makeOperationDecoder,
  type OperationDecoder
} from "../operation/OperationDecoder.ts"
import type { RequestContext } from "../operation/RequestContext.ts"

/** Decoders that replace those derived from the contract, such as compiled ones. */
export const OperationDecoders: Context.Reference<
  Readonly<Partial<Record<OperationId, OperationDecoder>>>
> = Context.Reference("@signalbox/core/http/server/OperationDecoders", { defaultValue: () => ({}) })

export interface Operation {
  readonly group: string
  readonly name: string
  readonly requiredCaller: CallerRequirement
  /** Whether HTML form bodies are rejected first, because pages of any site can send them without CORS. */
  readonly refusesForms: boolean
  readonly requiresInternAccess: boolean
  readonly timeLimited: TimeLimit
  /** Whether successful responses must not be cached. */
  readonly isSecret: boolean
  /** Status of a success, unless the handler returns a `Reply` with another. */
  readonly status: number
  readonly decode: OperationDecoder
  readonly handle: (
    input: DecodedInput,
    context: RequestContext
  ) => Effect.Effect<unknown, ExpectedError, Scope.Scope>
}

/** All operations except Decisions and probes, which have their own responders. */
export class OperationTable extends Context.Service<
  OperationTable,
  {
    /** Throws if the operation has no handler. */
    readonly find: (id: Pick<ContractOperation, "group" | "name">) => Operation
  }
>()("@signalbox/core/http/server/OperationTable") {
  static readonly layer = Layer.effect(
    OperationTable,
    Effect.gen(function* () {
      const decoders: Readonly<Record<string, OperationDecoder>> = yield* OperationDecoders
      const handlers: Readonly<Record<string, Readonly<Record<string, AnyHandler>>>> =
        yield* domainHandlers
      const operations = new Map(
        contractOperations.flatMap((operation) => {
          const handler = handlers[operation.group]?.[operation.name]
          return handler === undefined
            ? []
            : [[toOperationKey(operation), bindHandler(operation, handler, decoders)] as const]
        })
      )
      return {
        find: (id) => {
          const operation = operations.get(toOperationKey(id))
          if (operation === undefined)
            throw new Error(`the operation ${toOperationKey(id)} has no handler`)
          return operation
        }
      }
    })
  )
}

const bindHandler = (
  operation: ContractOperation,
  handler: AnyHandler,
  decoders: Readonly<Record<string, OperationDecoder>>
): Operation => {
  const { annotations, endpoint, group, name } = operation
  return {
    group,
    name,
    requiredCaller: Context.get(annotations, RequiredCaller),
    refusesForms:
      endpoint.method !== "GET" &&
      Context.get(annotations, BodyRules).hasStrictContentType !== true,
    requiresInternAccess: Context.get(annotations, RequiresInternAccess),
    timeLimited: Context.get(annotations, TimeLimited),
    isSecret: Context.get(annotations, NoStore),
    status: findSuccessStatus(endpoint),
    decode: decoders[toOperationKey(operation)] ?? makeOperationDecoder(operation),
    // Safe: the decoder of the same endpoint produced the input.
    handle: (input, context) => handler(input as never, context)
  }
}

/** A handler whose input type depends on its endpoint. */
type AnyHandler = (
  input: never,
  context: RequestContext
) => Effect.Effect<unknown, ExpectedError, Scope.Scope>

const findSuccessStatus = ({ success }: Endpoint): number => {
  const [first] = success
  if (first === undefined || first.ast._tag === "Void") return 204
  return resolveStatus(first.ast) ?? 200
}
