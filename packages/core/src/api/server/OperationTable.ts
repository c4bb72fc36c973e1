/** The operations of the contract with their decoders and handlers. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { operationGroups } from "../../domains.ts"
import { loadOnce } from "../../values/loadOnce.ts"
import {
  type ContractGroup,
  type Endpoint,
  type OperationFacts,
  toOperationKey
} from "../contract/ContractOperation.ts"
import type { OperationId } from "../contractOperations.ts"
import type { ExpectedError } from "../errors/errorTable.ts"
import type { DecodedInput, OperationDecoder } from "../operation/OperationDecoder.ts"
import type { RequestContext } from "../operation/RequestContext.ts"
import { operationList } from "../operationList.ts"

/** Decoders that replace those derived from the contract, such as compiled ones. */
export const OperationDecoders: Context.Reference<
  Readonly<Partial<Record<OperationId, OperationDecoder>>>
> = Context.Reference("@signalbox/core/http/server/OperationDecoders", { defaultValue: () => ({}) })

export interface Operation extends Required<Omit<OperationFacts, "errorRules">> {
  /** Undefined if the handler reads the request itself. */
  readonly endpoint?: Endpoint
  readonly decode: OperationDecoder
  readonly handle: (
    input: DecodedInput,
    context: RequestContext
  ) => Effect.Effect<unknown, ExpectedError>
}

/** All operations except probes, which have their own responder. */
export class OperationTable extends Context.Service<
  OperationTable,
  {
    /** The first use of a group loads it. Dies if it cannot be loaded, or if the operation has no handler. */
    readonly find: (id: OperationKey) => Effect.Effect<Operation>
  }
>()("@signalbox/core/http/server/OperationTable") {
  static readonly layer = Layer.effect(
    OperationTable,
    Effect.gen(function* () {
      const replacements: Decoders = yield* OperationDecoders
      const context =
        yield* Effect.context<
          Effect.Services<Awaited<ReturnType<OperationGroups[keyof OperationGroups]["handlers"]>>>
        >()
      const groups: ReadonlyMap<string, () => Effect.Effect<Operations>> = new Map(
        Object.entries(operationGroups).map(([name, group]) => [
          name,
          loadOnce(() => loadGroup(name, group, context, replacements))
        ])
      )
      return {
        find: (id) =>
          Effect.flatMapEager(groups.get(id.group)?.() ?? noOperations, (operations) => {
            const operation = operations.get(id.name)
            return operation === undefined
              ? Effect.die(new Error(`the operation ${toOperationKey(id)} has no handler`))
              : Effect.succeed(operation)
          })
      }
    })
  )
}

type OperationKey = Pick<OperationFacts, "group" | "name">
type Operations = ReadonlyMap<string, Operation>
type Decoders = Readonly<Record<string, OperationDecoder>>

const noOperations = Effect.succeed<Operations>(new Map())

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
): Promise<Operations> => {
  const [decoders, makeHandlers] = await Promise.all([
    contract === undefined ? undefined : loadDecoders(contract),
    handlers()
  ])
  const handlersByName = await Effect.runPromiseWith(context)(makeHandlers)
  return new Map(
    operationList.flatMap((facts): ReadonlyArray<readonly [string, Operation]> => {
      const handler = facts.group === group ? handlersByName[facts.name] : undefined
      if (handler === undefined) return []
      const decoder = decoders?.get(facts.name) ?? { decode: decodeNothing }
      const operation: Operation = {
        refusesForms: false,
        requiresInternAccess: false,
        timeLimited: "never",
        isSecret: false,
        ...facts,
        ...decoder,
        decode: replacements[toOperationKey(facts)] ?? decoder.decode,
        // Safe: the decoder of the same endpoint produced the input.
        handle: (input, context) => handler(input as never, context)
      }
      return [[facts.name, operation]]
    })
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
