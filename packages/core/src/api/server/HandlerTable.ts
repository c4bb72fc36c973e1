/** The handlers of the operations with the decoders of their input, each group loaded with the first call of one of its operations. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { operationGroups } from "../operationGroups.ts"
import { isSuccess } from "../../values/eager.ts"
import { loadOnce } from "../../values/layerOnDemand.ts"
import type { OperationId } from "../Api.ts"
import {
  type ContractGroup,
  type Endpoint,
  type Operation,
  toOperationId
} from "../contract/Operation.ts"
import { contractOperations } from "../contractOperations.ts"
import type { ExpectedError } from "../errors/errorTable.ts"
import type { DecodedInput, OperationDecoder } from "../operation/OperationDecoder.ts"
import type { RequestContext } from "../operation/RequestContext.ts"
import * as Step from "../../values/Step.ts"

/** Decoders that replace those derived from the contract, such as compiled ones. */
export const OperationDecoders: Context.Reference<
  Readonly<Partial<Record<OperationId, OperationDecoder>>>
> = Context.Reference("@signalbox/core/api/server/OperationDecoders", { defaultValue: () => ({}) })

/** A handler with the decoder of its input. */
export interface BoundHandler {
  readonly operation: Operation
  /** Undefined if the handler reads the request itself. */
  readonly endpoint?: Endpoint
  readonly decode: OperationDecoder
  readonly handle: (
    input: DecodedInput,
    context: RequestContext
  ) => Effect.Effect<unknown, ExpectedError>
}

/** The handlers of all operations except probes, which have their own responder. */
export class HandlerTable extends Context.Service<
  HandlerTable,
  {
    /** The first use of a group loads it. Dies if it cannot be loaded, or if the operation has no handler. */
    readonly find: (operation: OperationKey) => Effect.Effect<BoundHandler>
  }
>()("@signalbox/core/api/server/HandlerTable") {
  static readonly layer = Layer.effect(
    HandlerTable,
    Effect.gen(function* () {
      const replacements: Decoders = yield* OperationDecoders
      const context =
        yield* Effect.context<
          Effect.Services<Awaited<ReturnType<OperationGroups[keyof OperationGroups]["handlers"]>>>
        >()
      const groups: ReadonlyMap<string, () => Effect.Effect<BoundHandlers>> = new Map(
        Object.entries(operationGroups).map(([name, group]) => [
          name,
          loadOnce(() => loadGroup(name, group, context, replacements))
        ])
      )
      return {
        find: (operation) => {
          const loading = groups.get(operation.group)?.() ?? noHandlers
          return isSuccess(loading)
            ? findHandler(loading.value, operation)
            : Step.flatMap(loading, (handlers) => findHandler(handlers, operation))
        }
      }
    })
  )
}

type OperationKey = Pick<Operation, "group" | "name">
/** Each as its own success, which every request shares. */
type BoundHandlers = ReadonlyMap<string, Effect.Effect<BoundHandler>>
type Decoders = Readonly<Record<string, OperationDecoder>>

const findHandler = (
  handlers: BoundHandlers,
  operation: OperationKey
): Effect.Effect<BoundHandler> =>
  handlers.get(operation.name) ??
  Effect.die(new Error(`the operation ${toOperationId(operation)} has no handler`))

const noHandlers = Effect.succeed<BoundHandlers>(new Map())

type OperationGroups = typeof operationGroups

interface OperationGroup<R> {
  /** Left out if the handlers read requests themselves. */
  readonly contract?: () => Promise<ContractGroup>
  readonly handlers: () => Promise<Effect.Effect<Readonly<Record<string, AnyHandler>>, never, R>>
}

const loadGroup = async <R>(
  group: string,
  { contract, handlers }: OperationGroup<R>,
  context: Context.Context<R>,
  replacements: Decoders
): Promise<BoundHandlers> => {
  const [decoders, makeHandlers] = await Promise.all([
    contract === undefined ? undefined : loadDecoders(contract),
    handlers()
  ])
  const handlersByName = await Effect.runPromiseWith(context)(makeHandlers)
  return new Map(
    contractOperations.flatMap(
      (operation): ReadonlyArray<readonly [string, Effect.Effect<BoundHandler>]> => {
        const { name } = operation
        const handler = operation.group === group ? handlersByName[name] : undefined
        if (handler === undefined) return []
        const decoder = decoders?.get(name) ?? { decode: decodeNothing }
        const bound: BoundHandler = {
          operation,
          ...decoder,
          decode: replacements[toOperationId(operation)] ?? decoder.decode,
          // Safe: the decoder of the same endpoint produced the input.
          handle: (input, context) => handler(input as never, context)
        }
        return [[name, Effect.succeed(bound)]]
      }
    )
  )
}

const loadDecoders = async (contract: () => Promise<ContractGroup>) => {
  const [group, { makeDecoders }] = await Promise.all([
    contract(),
    import("../operation/OperationDecoder.ts")
  ])
  return makeDecoders(group)
}

const nothing = Effect.succeed({ params: {}, query: {}, headers: {}, payload: undefined })
const decodeNothing: OperationDecoder = () => nothing

/** A handler whose input type depends on its endpoint. */
type AnyHandler = (input: never, context: RequestContext) => Effect.Effect<unknown, ExpectedError>
