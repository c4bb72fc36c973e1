/** Every operation answers any request with a status and body declared in the instance's OpenAPI document. */
import { type Operation, operations } from "@signalbox/core/adapter"
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

/** The violations of the schema, including undeclared statuses. */
const listProblems = ({ method, path }: Operation, answer: HttpResponse): ReadonlyArray<string> => {
  const declared = path.replaceAll(/:(\w+)/g, "{$1}")
  if (!schemas.listStatuses(method.toLowerCase(), declared).includes(answer.status)) {
    return [`${answer.status} is not declared: ${answer.text.slice(0, 200)}`]
  }
  const isJson = answer.headers["content-type"]?.startsWith("application/json") === true
  if (!isJson)
    return answer.status < 300 ? [] : [`an error that is ${answer.headers["content-type"]}`]
  return schemas.listProblems(method.toLowerCase(), declared, answer)
}

/** The operations of the contract, without the document itself and its page. */
const documentedOperations = operations.filter(({ group }) => group !== "")
const namedOperations = documentedOperations.map(
  (operation) => [toOperationName(operation), operation] as const
)

test.each(namedOperations)("%s answers as declared", async (name, operation) => {
  const { body, query = "" } = makeOperationCases(account)[name]!
  const { method } = operation
  const { foreign, management, member } = accountKeys
  const path = toPath(operation, account)
  const answers: Array<readonly [string, HttpResponse]> = []
  const record = async (what: string, answer: Promise<HttpResponse>) => {
    answers.push([what, await answer])
  }
  await record("without a key", ask(undefined, method, path + query, body))
  await record("with an unknown key", ask("sk-nobody", method, path + query, body))
  await record("with a key of another account", ask(foreign, method, path + query, body))
  for (const key of [member, management]) {
    await record(
      "an unknown id",
      ask(key, method, toPath(operation, missingFixture()) + query, body)
    )
    await record(
      "an invalid query",
      ask(
        key,
        method,
        // A valid query before it keeps a stream from going on for ever.
        `${path}?${name === "live.watchEndpoints" ? "count=1&" : ""}limit=x&offset=-1&index=x&id=&status=x&sort=x&starting_after=x`,
        body
      )
    )
    if (method === "GET") continue
    await record("no JSON", ask(key, method, path, "{"))
    await record("a list", ask(key, method, path, "[]"))
    await record(
      "an unexpected object",
      ask(key, method, path, { "": null, ids: 1, name: 2, limit: "x", model: 3 })
    )
    await record("a form", ask(key, method, path, "a=b", "application/x-www-form-urlencoded"))
    await record("XML", ask(key, method, path, "<a/>", "application/xml"))
    await record("a long body", ask(key, method, path, JSON.stringify("x".repeat(1_100_000))))
  }
  // A successful request may delete the account's resources, so it gets fresh ones.
  const own = await startFurnished()
  const validCase = makeOperationCases(own)[name]!
  for (const key of [own.secret, management]) {
    await record(
      "a valid request",
      ask(key, method, toPath(operation, own) + (validCase.query ?? ""), validCase.body)
    )
  }
  expect(
    answers.flatMap(([what, answer]) =>
      listProblems(operation, answer).map((problem) => `${what}: ${problem}`)
    )
  ).toEqual([])
  expect(answers.filter(([, { headers }]) => headers["x-request-id"] === undefined)).toEqual([])
})
