/** OpenRouter's client parses the statuses that every operation may return. */
import { OpenRouter } from "@openrouter/sdk"
import { HTTPClient } from "@openrouter/sdk/lib/http.js"
import * as errors from "@openrouter/sdk/models/errors"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { assert, describe, it } from "vitest"
import { RateLimited } from "../../../src/tenants/auth/AuthErrors.ts"
import { findErrorRules } from "../../../src/api/server/IncomingRequest.ts"
import type { ExpectedError } from "../../../src/api/errors/errorTable.ts"
import { renderError, toErrorResponse } from "../../../src/api/errors/toErrorResponse.ts"
import { NotJson, RequestTimedOut } from "../../../src/api/errors/HttpErrors.ts"
import { makeOpenApiDocument } from "../../../src/api/reference/makeOpenApiDocument.ts"
import { matchRoute } from "../../../src/api/server/routeTable.ts"
import { NameTaken } from "../../../src/domains/interns/Intern.ts"

const errorCases: Readonly<Record<number, ExpectedError>> = {
  408: new RequestTimedOut({ timeoutMillis: 1 }),
  409: new NameTaken({ name: "ada" }),
  415: new NotJson(),
  429: new RateLimited({ limit: 1, resetAt: 1, retryAfterMillis: 1 })
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: object }>>>>
}

const serverURL = "http://127.0.0.1/api/v1"
const id = { id: "x" }
const internId = "x"

const calls: Readonly<Record<string, (client: OpenRouter) => Promise<unknown>>> = {
  "decisions.create": (client) =>
    client.alpha.decisions.create(
      { decisionsRequest: { model: "a/b", state: "x", questions: {} } },
      { serverURL: "http://127.0.0.1" }
    ),
  "chat.complete": (client) =>
    client.chat.send({
      chatRequest: { model: "a/b", messages: [{ role: "user", content: "x" }] }
    }),
  "responses.create": (client) =>
    client.responses.send({ responsesRequest: { model: "a/b", input: "x" } }),
  "videos.submit": (client) =>
    client.videoGeneration.generate({ videoGenerationRequest: { model: "a/b", prompt: "x" } }),
  "videos.get": (client) => client.videoGeneration.getGeneration({ jobId: "x" }),
  "videos.download": (client) => client.videoGeneration.getVideoContent({ jobId: "x" }),
  "interns.create": (client) =>
    client.interns.createIntern({ createInternRequest: { name: "ada", workspaceId: "x" } }),
  "interns.list": (client) => client.interns.listInterns(),
  "interns.get": (client) => client.interns.getIntern({ internId }),
  "interns.update": (client) =>
    client.interns.updateIntern({ internId, updateInternRequest: { name: "ada" } }),
  "interns.delete": (client) => client.interns.deleteIntern({ internId, deleteInternRequest: {} }),
  "interns.provision": (client) => client.interns.provisionIntern({ internId }),
  "interns.suspend": (client) => client.interns.suspendIntern({ internId }),
  "interns.chat": (client) =>
    client.interns.chat({
      internId,
      internChatCompletionRequest: { stream: true, messages: [{ role: "user", content: "x" }] }
    }),
  "models.list": (client) => client.models.list(),
  "byok.list": (client) => client.byok.list(),
  "byok.get": (client) => client.byok.get(id),
  "guardrails.list": (client) => client.guardrails.list(),
  "workspaces.get": (client) => client.workspaces.get(id),
  "keys.list": (client) => client.apiKeys.list(),
  "keys.getCurrent": (client) => client.apiKeys.getCurrentKeyMetadata(),
  "vaults.list": (client) => client.vault.listVaultSecrets()
}

describe.each(Object.keys(errorCases).map(Number))("%i", (status) => {
  it.each(Object.keys(calls))("of %s is parsed by the client", async (name) => {
    let operation = ""
    let sent: { readonly status: number; readonly message: string } | undefined
    const client = new OpenRouter({
      apiKey: "sk-x",
      serverURL,
      retryConfig: { strategy: "none" },
      httpClient: new HTTPClient({
        fetcher: (input) => {
          const { method, url } = input instanceof Request ? input : new Request(input)
          const { pathname, search } = new URL(url)
          const matched = matchRoute(method, pathname + search)?.operation
          operation = `${matched?.group}.${matched?.name}`
          const response = toErrorResponse(errorCases[status]!, findErrorRules(matched))
          sent = response
          return Promise.resolve(HttpServerResponse.toWeb(renderError(response)))
        }
      })
    })
    const error = await calls[name]!(client).then(
      () => undefined,
      (error: unknown) => error
    )
    assert.strictEqual(operation, name)
    assert.instanceOf(error, errors.OpenRouterError)
    assert.notInstanceOf(error, errors.ResponseValidationError)
    assert.strictEqual(error.statusCode, sent?.status)
    if (!(error instanceof errors.OpenRouterDefaultError)) {
      assert.strictEqual(error.message, sent?.message)
    }
  })
})

describe("the OpenAPI document", () => {
  const { paths }: Document = JSON.parse(JSON.stringify(makeOpenApiDocument("")))
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { responses }]) => ({ method, path, responses }))
  )

  it.each(operations)("declares them for $method $path", ({ responses }) => {
    assert.containsAllKeys(responses, Object.keys(errorCases))
  })
})
