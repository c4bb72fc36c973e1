/** Whatever an operation is sent, it answers with a status and a body that our OpenAPI document declares. */
import { type HttpOperation, operations } from "@signalbox/core/adapter"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { HttpResponse } from "../support/HttpResponse.ts"
import { makeDeliver } from "../support/makeDeliver.ts"
import {
  makeOperationCases,
  type AccountFixture,
  createAccountFixture,
  toOperationName,
  missingFixture,
  toPath
} from "../support/accountFixture.ts"
import { AccountTestServer, accountKeys } from "../support/AccountTestServer.ts"
import { send } from "../support/send.ts"
import { makeOpenApiSchemas, type OpenApiSchemas } from "../support/OpenApiSchemas.ts"

let server: AccountTestServer
let schemas: OpenApiSchemas
let account: AccountFixture & { readonly secret: string }

const ask = (
  key: string | undefined,
  method: string,
  path: string,
  body?: unknown,
  type = "application/json"
) =>
  send(server.root + path, {
    method,
    headers: {
      ...(key === undefined ? undefined : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? undefined : { "content-type": type })
    },
    body: body === undefined || typeof body === "string" ? body : JSON.stringify(body)
  })

const startFurnished = () =>
  createAccountFixture(
    (method, path, body) => ask(accountKeys.management, method, path, body),
    (secret) => (method, path, body) => ask(secret, method, path, body),
    makeDeliver(server.instance)
  )

beforeAll(async () => {
  server = await AccountTestServer.start({
    settings: { maxImageBodyBytes: 1_048_576 },
    sealing: { current: "k1", keys: { k1: "a sealing key that nobody is going to guess" } }
  })
  schemas = makeOpenApiSchemas((await ask(undefined, "GET", "/api/v1/openapi.json")).text)
  account = await startFurnished()
})
afterAll(() => server[Symbol.asyncDispose]())

/** What is wrong with an answer; a status that is not declared is. */
const listProblems = (
  { method, path }: HttpOperation,
  answer: HttpResponse
): ReadonlyArray<string> => {
  const declared = path.replaceAll(/:(\w+)/g, "{$1}")
  if (!schemas.listStatuses(method.toLowerCase(), declared).includes(answer.status)) {
    return [`${answer.status} is not declared: ${answer.text.slice(0, 200)}`]
  }
  const isJson = answer.headers["content-type"]?.startsWith("application/json") === true
  if (!isJson)
    return answer.status < 300 ? [] : [`an error that is ${answer.headers["content-type"]}`]
  return schemas.listProblems(method.toLowerCase(), declared, answer)
}

/** Those of the contract; the document and the page about it are not in it. */
const documentedOperations = operations.filter(({ group }) => group !== "")
const namedOperations = documentedOperations.map(
  (operation) => [toOperationName(operation), operation] as const
)

test.each(namedOperations)("%s answers as it declares", async (name, operation) => {
  const { body, query = "" } = makeOperationCases(account)[name]!
  const { method } = operation
  const { foreign, management, member } = accountKeys
  const path = toPath(operation, account)
  const answers: Array<readonly [string, HttpResponse]> = []
  const tried = async (what: string, answer: Promise<HttpResponse>) => {
    answers.push([what, await answer])
  }
  await tried("without a key", ask(undefined, method, path + query, body))
  await tried("with an unknown key", ask("sk-nobody", method, path + query, body))
  await tried("of another account", ask(foreign, method, path + query, body))
  for (const key of [member, management]) {
    await tried(
      "something unknown",
      ask(key, method, toPath(operation, missingFixture()) + query, body)
    )
    await tried(
      "a senseless query",
      ask(
        key,
        method,
        `${path}?limit=x&offset=-1&index=x&id=&status=x&sort=x&starting_after=x`,
        body
      )
    )
    if (method === "GET") continue
    await tried("no JSON", ask(key, method, path, "{"))
    await tried("a list", ask(key, method, path, "[]"))
    await tried(
      "a strange object",
      ask(key, method, path, { "": null, ids: 1, name: 2, limit: "x", model: 3 })
    )
    await tried("a form", ask(key, method, path, "a=b", "application/x-www-form-urlencoded"))
    await tried("XML", ask(key, method, path, "<a/>", "application/xml"))
    await tried("a long body", ask(key, method, path, JSON.stringify("x".repeat(1_100_000))))
  }
  // A fresh one for who may delete it.
  const own = await startFurnished()
  const asking = makeOperationCases(own)[name]!
  for (const key of [own.secret, management]) {
    await tried(
      "as meant",
      ask(key, method, toPath(operation, own) + (asking.query ?? ""), asking.body)
    )
  }
  expect(
    answers.flatMap(([what, answer]) =>
      listProblems(operation, answer).map((problem) => `${what}: ${problem}`)
    )
  ).toEqual([])
  expect(answers.filter(([, { headers }]) => headers["x-request-id"] === undefined)).toEqual([])
})
