import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as SchemaAST from "effect/SchemaAST"
import { describe, expect, it } from "vitest"
import { Callers } from "../../../src/tenants/auth/Callers.ts"
import { Api } from "../../../src/api/Api.ts"
import { listOperations } from "../../../src/api/contract/Operation.ts"
import { Operations } from "../../../src/api/inProcess/Operations.ts"
import { type BoundHandler, HandlerTable } from "../../../src/api/server/HandlerTable.ts"

const listNames = (ast: SchemaAST.AST | undefined): ReadonlyArray<string> =>
  ast?._tag === "Objects" ? ast.propertySignatures.map(({ name }) => String(name)) : []

describe("the operations in process", () => {
  it.each(
    listOperations(...Object.values(Api.groups)).map(
      (each) => [`${each.group}.${each.name}`, each.endpoint] as const
    )
  )("%s has distinct names in path, query and body", (_, { params, payload, query }) => {
    const names = [
      ...listNames(params?.ast),
      ...listNames(query?.ast),
      ...listNames(payload.get("application/json")?.schemas[0].ast)
    ]
    expect(names).toEqual([...new Set(names)])
  })

  it("are all operations of the contract except those with a separate call", async () => {
    const groups = await Effect.runPromise(
      Operations.pipe(
        Effect.provide(
          Operations.layer.pipe(
            Layer.provide(Layer.succeed(HandlerTable, { find: () => Effect.succeed(handler) })),
            Layer.provide(Layer.mock(Callers, {}))
          )
        )
      )
    )
    const called = new Set(
      Object.entries(groups).flatMap(([group, calls]) =>
        Object.keys(calls).map((name) => `${group}.${name}`)
      )
    )
    const all = listOperations(...Object.values(Api.groups)).map(
      ({ group, name }) => `${group}.${name}`
    )
    expect(all.filter((id) => !called.has(id)).toSorted()).toEqual([
      "chat.complete",
      "decisions.create",
      "decisions.createUnderBase",
      "decisions.systemone",
      "embeddings.create",
      "images.create",
      "images.edit",
      "images.generate",
      "messages.countTokens",
      "messages.create",
      "probes.live",
      "probes.ready",
      "rerank.create",
      "responses.create",
      "speech.create",
      "transcription.create"
    ])
  })
})

const handler: BoundHandler = {
  operation: {
    group: "",
    name: "",
    method: "GET",
    path: "/",
    requiredCaller: "any",
    status: 200
  },
  decode: () => Effect.die("not called"),
  handle: () => Effect.die("not called")
}
