import { assert, it } from "@effect/vitest"
import { makeMemoryServices } from "@signalbox/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { RawBody } from "../../../src/api/contract/operationAnnotations.ts"
import { toOperationKey } from "../../../src/api/contract/ContractOperation.ts"
import { contractOperations } from "../../../src/api/contractOperations.ts"
import { operationList } from "../../../src/api/operationList.ts"
import { OperationTable } from "../../../src/api/server/OperationTable.ts"

const respondersOfTheirOwn = new Set(["decisions", "probes"])

const isRaw = new Map(
  contractOperations.map((operation) => [
    toOperationKey(operation),
    Context.get(operation.annotations, RawBody)
  ])
)

it.effect("finds every operation, with an endpoint unless its handler reads the request", () =>
  Effect.gen(function* () {
    const { find } = yield* OperationTable
    for (const facts of operationList) {
      if (respondersOfTheirOwn.has(facts.group)) continue
      const operation = yield* find(facts)
      assert.strictEqual(toOperationKey(operation), toOperationKey(facts))
      if (operation.endpoint === undefined) assert.isTrue(isRaw.get(toOperationKey(facts)))
      assert.isTrue(Exit.isExit(find(facts)), "it is at hand from then on")
    }
  }).pipe(Effect.provide(Layer.provide(OperationTable.layer, makeMemoryServices())))
)

it.effect("dies for an operation without a handler", () =>
  Effect.gen(function* () {
    const { find } = yield* OperationTable
    const exits = [
      yield* Effect.exit(find({ group: "keys", name: "constructor" })),
      yield* Effect.exit(find({ group: "probes", name: "live" }))
    ]
    assert.isTrue(exits.every(Exit.hasDies))
  }).pipe(Effect.provide(Layer.provide(OperationTable.layer, makeMemoryServices())))
)
