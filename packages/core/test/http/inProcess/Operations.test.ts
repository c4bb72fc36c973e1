import type * as SchemaAST from "effect/SchemaAST"
import { describe, expect, it } from "vitest"
import { contractOperations } from "../../../src/http/contractOperations.ts"
import { operationNames } from "../../../src/http/inProcess/operationNames.ts"

const listNames = (ast: SchemaAST.AST | undefined): ReadonlyArray<string> =>
  ast?._tag === "Objects" ? ast.propertySignatures.map(({ name }) => String(name)) : []

describe("the operations in process", () => {
  it.each(contractOperations.map((each) => [`${each.group}.${each.name}`, each.endpoint] as const))(
    "%s has no name twice among path, query and body",
    (_, { params, payload, query }) => {
      const names = [
        ...listNames(params?.ast),
        ...listNames(query?.ast),
        ...listNames(payload.get("application/json")?.schemas[0].ast)
      ]
      expect(names).toEqual([...new Set(names)])
    }
  )

  it("are all those of the contract that have no call of their own", () => {
    const named = new Set(
      Object.values(operationNames).flatMap((group) => Object.values<string>(group))
    )
    const all = contractOperations.map(({ group, name }) => `${group}.${name}`)
    expect(all.filter((id) => !named.has(id)).toSorted()).toEqual([
      "chat.complete",
      "decisions.create",
      "decisions.createUnderBase",
      "decisions.systemone",
      "operations.health",
      "operations.metrics",
      "operations.plan",
      "probes.live",
      "probes.ready"
    ])
  })
})
