import { type Operation, operations } from "@signalbox/core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { errorIn } from "./Answer.ts"
import { send } from "./send.ts"
import { keys, request, Stage } from "./Stage.ts"

/** Who may use an operation: whoever has a key, who runs models, who manages; or whoever comes by. */
type Privilege = "any key" | "a key that runs models" | "a management key" | "no key"

/** All that is not listed needs a management key. */
const exceptions: Readonly<Record<string, Privilege>> = {
  "decisions.create": "a key that runs models",
  "decisions.createUnderBase": "a key that runs models",
  "decisions.systemone": "a key that runs models",
  "catalog.models": "any key",
  "catalog.count": "any key",
  "catalog.userModels": "any key",
  "catalog.model": "any key",
  "catalog.endpoints": "any key",
  "catalog.zdrEndpoints": "any key",
  "catalog.providers": "any key",
  "catalog.videoModels": "any key",
  "keys.current": "any key",
  "records.generation": "any key",
  ".document": "no key",
  ".reference": "no key"
}

const privilegeOf = (operation: Operation): Privilege =>
  exceptions[nameOf(operation)] ?? "a management key"

const nameOf = ({ group, name }: Operation): string => `${group}.${name}`

/** An address of the operation, of things nobody has. */
const pathOf = ({ path }: Operation): string => path.replace(/:\w+/g, "nobody")

const unauthenticated: ReadonlyArray<readonly [string, Readonly<Record<string, string>>]> = [
  ["no key", {}],
  ["an empty header", { authorization: "" }],
  ["another scheme", { authorization: `Basic ${keys.management}` }],
  ["a scheme without a key", { authorization: "Bearer" }],
  ["two keys", { authorization: `Bearer ${keys.management} ${keys.member}` }],
  ["a key without a scheme", { authorization: keys.management }],
  ["an unknown key", { authorization: "Bearer sk-unknown-to-everybody" }],
  ["a key in another case", { authorization: `Bearer ${keys.management.toUpperCase()}` }]
]

const as = (key: string) => ({ authorization: `Bearer ${key}` })

describe("privileges", () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await Stage.open()
  })
  afterAll(() => stage[Symbol.asyncDispose]())

  const call = (operation: Operation, headers: Readonly<Record<string, string>>) =>
    send(stage.root + pathOf(operation), {
      method: operation.method,
      headers: { "content-type": "application/json", ...headers },
      ...(operation.method === "GET" ? undefined : { body: JSON.stringify(request()) })
    })

  test("have exceptions for operations that exist", () => {
    expect(operations.map(nameOf)).toEqual(expect.arrayContaining(Object.keys(exceptions)))
  })

  const keyed = operations.filter((operation) => privilegeOf(operation) !== "no key")

  describe.each(unauthenticated)("with %s", (_, headers) => {
    test.each(keyed.map((operation) => [nameOf(operation), operation] as const))(
      "%s is refused like any other",
      async (__, operation) => {
        const answer = await call(operation, headers)
        expect(answer.status).toBe(401)
        // The same words for all of them, whatever is asked for and whatever was sent.
        expect(answer.text).toBe(
          JSON.stringify({ error: { code: 401, message: "Missing Authentication header" } })
        )
      }
    )
  })

  const managing = keyed.filter((operation) => privilegeOf(operation) === "a management key")
  describe.each(["member", "organization"] as const)("with a key of kind %s", (kind) => {
    test.each(managing.map((operation) => [nameOf(operation), operation] as const))(
      "%s is not permitted",
      async (_, operation) => {
        const answer = await call(operation, as(keys[kind]))
        expect(answer.status).toBe(403)
        expect(errorIn(answer)).toMatchObject({
          code: 403,
          message: "Only management keys can perform this operation"
        })
      }
    )

    test.each(
      keyed
        .filter((operation) => !managing.includes(operation))
        .map((operation) => [nameOf(operation), operation] as const)
    )("%s is", async (_, operation) => {
      const { status } = await call(operation, as(keys[kind]))
      expect([200, 400, 404]).toContain(status)
    })
  })

  test.each(
    keyed
      .filter((operation) => privilegeOf(operation) === "a key that runs models")
      .map((operation) => [nameOf(operation), operation] as const)
  )("%s is not permitted with a management key", async (_, operation) => {
    const answer = await call(operation, as(keys.management))
    expect(answer.status).toBe(403)
    expect(errorIn(answer).code).toBe(403)
    expect(stage.calls.first).toBeLessThan(10)
  })

  test.each(
    keyed
      .filter((operation) => privilegeOf(operation) !== "a key that runs models")
      .map((operation) => [nameOf(operation), operation] as const)
  )("%s is permitted with a management key", async (_, operation) => {
    const { status } = await call(operation, as(keys.management))
    expect([200, 201, 400, 404]).toContain(status)
  })
})
