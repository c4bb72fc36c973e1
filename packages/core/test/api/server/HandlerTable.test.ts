import { assert, it } from "@effect/vitest"
import { makeMemoryServices } from "@signalbox/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { RawBody } from "../../../src/api/contract/operationAnnotations.ts"
import { listOperations, toOperationId } from "../../../src/api/contract/Operation.ts"
import { Api } from "../../../src/api/Api.ts"
import { contractOperations } from "../../../src/api/contractOperations.ts"
import { HandlerTable } from "../../../src/api/server/HandlerTable.ts"

const respondersOfTheirOwn = new Set(["decisions", "probes"])

const isRaw = new Map(
  listOperations(...Object.values(Api.groups)).map((operation) => [
    toOperationId(operation),
    Context.get(operation.annotations, RawBody)
  ])
)

it.effect(
  "finds the handler of every operation, with an endpoint unless its handler reads the request",
  () =>
    Effect.gen(function* () {
      const { find } = yield* HandlerTable
      for (const operation of contractOperations) {
        if (respondersOfTheirOwn.has(operation.group)) continue
        const handler = yield* find(operation)
        assert.strictEqual(handler.operation, operation)
        if (handler.endpoint === undefined) assert.isTrue(isRaw.get(toOperationId(operation)))
        assert.isTrue(Exit.isExit(find(operation)), "it is at hand from then on")
      }
    }).pipe(Effect.provide(Layer.provide(HandlerTable.layer, makeMemoryServices())))
)

it.effect("dies for an operation without a handler", () =>
  Effect.gen(function* () {
    const { find } = yield* HandlerTable
    const exits = [
      yield* Effect.exit(find({ group: "keys", name: "constructor" })),
      yield* Effect.exit(find({ group: "probes", name: "live" }))
    ]
    assert.isTrue(exits.every(Exit.hasDies))
  }).pipe(Effect.provide(Layer.provide(HandlerTable.layer, makeMemoryServices())))
)
