/** The operations of interns return every error status that the public OpenAPI document lists, and no other. */
import { request } from "node:http"
import { StoreUnavailable } from "@signalbox/core/stores"
import { InternStore } from "@signalbox/core/stores"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { makeHostFailure } from "@signalbox/testing"
import { expect, test } from "vitest"
import { describeWithReference } from "../../packages/core/test/reference.ts"
import { type HttpResponse, parseErrorEnvelope, parseJson } from "../support/HttpResponse.ts"
import {
  countCalls,
  getId,
  internKeys,
  type InternTestServerOptions,
  type InternTestServer,
  newIntern,
  startInternTestServer
} from "./InternTestServer.ts"
import { loadOpenApiSchemas } from "../support/OpenApiSchemas.ts"

type Sending = NonNullable<Parameters<InternTestServer["ask"]>[2]>

const unknownId = "intern_0123456789abcdefghij"

interface StatusCase {
  readonly status: number
  /** Default: the status. */
  readonly code?: string
  readonly why: string
  readonly serverOptions?: InternTestServerOptions
  readonly ask: (server: InternTestServer, operation: InternOperation) => Promise<HttpResponse>
}

/** An operation on an intern. */
interface InternOperation {
  readonly method: string
  readonly openapiPath: string
  /** The default body. */
  readonly body: unknown
}

const toPath = ({ openapiPath }: InternOperation, id: string): string =>
  openapiPath.replace("{internId}", id)
const sendOperation = (
  server: InternTestServer,
  operation: InternOperation,
  id: string,
  sending: Sending = {}
) =>
  server.ask(operation.method.toUpperCase(), toPath(operation, id), {
    ...(operation.body === undefined ? undefined : { body: operation.body }),
    ...sending
  })

const failUnavailable = () =>
  Effect.die(new StoreUnavailable({ cause: new Error("no way to db.internal") }))
const failUnexpectedly = () => Effect.die(new Error("no way to db.internal"))
const hang = () => Effect.never

/** Replaces every method of the store in place, as services already refer to the store. */
const failStore = ({ instance }: InternTestServer, verb: () => Effect.Effect<never>): void => {
  const store = Context.get(instance.context, InternStore)
  Object.assign(store, Object.fromEntries(Object.keys(store).map((each) => [each, verb])))
}

const createStopped = async (server: InternTestServer): Promise<string> =>
  getId(await server.create())

const commonCases: ReadonlyArray<StatusCase> = [
  {
    status: 401,
    why: "an unknown key",
    ask: (server, operation) => sendOperation(server, operation, unknownId, { key: "sk-nobody" })
  },
  {
    status: 403,
    why: "a management key",
    ask: (server, operation) =>
      sendOperation(server, operation, unknownId, { key: internKeys.management })
  },
  {
    status: 403,
    why: "a regional hostname",
    serverOptions: { settings: { regionalHostnames: ["EU.example.com"] } },
    ask: (server, operation) =>
      sendOperation(server, operation, unknownId, { headers: { host: "eu.Example.com.:8443" } })
  },
  {
    status: 429,
    why: "an exceeded rate limit",
    serverOptions: { settings: { rateLimit: { requests: 1, windowMillis: 60_000 } } },
    ask: async (server, operation) => {
      await server.ask("GET", "/interns")
      return sendOperation(server, operation, unknownId)
    }
  },
  {
    status: 404,
    code: "not_found",
    why: "an ineligible user",
    serverOptions: { eligibility: ({ user }) => Promise.resolve(user !== "mem-1") },
    ask: (server, operation) => sendOperation(server, operation, unknownId)
  },
  {
    status: 408,
    why: "a hanging store",
    serverOptions: { settings: { internRequestTimeoutMillis: 50 } },
    ask: (server, operation) => {
      failStore(server, hang)
      return sendOperation(server, operation, unknownId)
    }
  },
  {
    status: 500,
    code: "internal_error",
    why: "a defect",
    ask: (server, operation) => {
      failStore(server, failUnexpectedly)
      return sendOperation(server, operation, unknownId)
    }
  }
]

const bodyCases: ReadonlyArray<StatusCase> = [
  {
    status: 400,
    code: "invalid_body",
    why: "invalid JSON",
    ask: (server, operation) => sendOperation(server, operation, unknownId, { body: "{" })
  },
  {
    status: 400,
    code: "invalid_body",
    why: "a list instead of an object",
    ask: (server, operation) => sendOperation(server, operation, unknownId, { body: "[]" })
  },
  {
    status: 408,
    why: "a body that does not arrive",
    serverOptions: { settings: { internRequestTimeoutMillis: 100 } },
    ask: (server, operation) => sendPartialBody(server, operation)
  },
  {
    status: 413,
    code: "payload_too_large",
    why: "a large body",
    ask: (server, operation) => sendOperation(server, operation, unknownId, { body: oversizedBody })
  },
  {
    status: 413,
    code: "payload_too_large",
    why: "a large body with a higher limit for other operations",
    serverOptions: { settings: { maxBodyBytes: 4_000_000 } },
    ask: (server, operation) => sendOperation(server, operation, unknownId, { body: oversizedBody })
  },
  {
    status: 413,
    code: "payload_too_large",
    why: "a large chunked body",
    ask: (server, operation) =>
      sendOperation(server, operation, unknownId, { body: oversizedBody, chunked: true })
  },
  {
    status: 415,
    why: "another content type",
    ask: (server, operation) =>
      sendOperation(server, operation, unknownId, {
        body: "{}",
        headers: { "content-type": "text/plain" }
      })
  }
]

const notFoundCase: StatusCase = {
  status: 404,
  code: "not_found",
  why: "an unknown intern",
  ask: (server, operation) => sendOperation(server, operation, unknownId)
}

/** An intern of another workspace is indistinguishable from an unknown one. */
const otherWorkspaceCase: StatusCase = {
  status: 404,
  code: "not_found",
  why: "an intern of another workspace",
  ask: async (server, operation) =>
    sendOperation(server, operation, await createStopped(server), { key: internKeys.other })
}

const unreadBodyCase: StatusCase = {
  status: 400,
  code: "invalid_body",
  why: "a body with a field",
  ask: (server, operation) => sendOperation(server, operation, unknownId, { body: { any: null } })
}

const makeStoreUnavailableCase = (status: 500 | 502): StatusCase => ({
  status,
  code: status === 500 ? "internal_error" : "upstream_unavailable",
  why: "an unavailable store",
  ask: (server, operation) => {
    failStore(server, failUnavailable)
    return sendOperation(server, operation, unknownId)
  }
})

const makeShutdownCase = (status: 500 | 502): StatusCase => ({
  status,
  code: status === 500 ? "internal_error" : "upstream_unavailable",
  why: "a closed instance",
  ask: async (server, operation) => {
    await server.instance.close()
    return sendOperation(server, operation, unknownId)
  }
})

const oversizedBody = JSON.stringify({ name: "x".repeat(1_048_577) })

/** Sends only part of the declared body. */
const sendPartialBody = (
  server: InternTestServer,
  operation: InternOperation
): Promise<HttpResponse> =>
  new Promise((resolve, reject) => {
    const sent = request(
      `${server.root}/api/v1${toPath(operation, unknownId)}`,
      {
        method: operation.method.toUpperCase(),
        headers: {
          authorization: `Bearer ${internKeys.member}`,
          "content-type": "application/json",
          "content-length": 100
        }
      },
      (response) => {
        let text = ""
        response.setEncoding("utf8")
        response.on("data", (chunk: string) => (text += chunk))
        response.on("end", () => {
          sent.destroy()
          resolve({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(
              Object.entries(response.headers).map(([name, value]) => [name, String(value)])
            ),
            text,
            body: parseJson(text)
          })
        })
      }
    )
    sent.on("error", reject)
    sent.write("{")
  })

const makeWrongStatusCase = (of: (server: InternTestServer) => Promise<string>): StatusCase => ({
  status: 409,
  why: "a conflicting status",
  ask: async (server, operation) => sendOperation(server, operation, await of(server))
})

const operations: ReadonlyArray<
  InternOperation & { readonly statusCases: ReadonlyArray<StatusCase> }
> = [
  {
    method: "post",
    openapiPath: "/interns",
    body: newIntern(),
    statusCases: [
      ...commonCases,
      ...bodyCases,
      {
        status: 400,
        code: "invalid_body",
        why: "no workspace",
        ask: (server) => server.create({ workspace_id: undefined })
      },
      {
        status: 400,
        code: "invalid_body",
        why: "a name with capitals",
        ask: (server) => server.create({ name: "Ada" })
      },
      {
        status: 400,
        code: "invalid_body",
        why: "an empty key",
        ask: (server) => server.create({}, { headers: { "idempotency-key": "" } })
      },
      {
        status: 400,
        code: "invalid_body",
        why: "a key that is too long",
        ask: (server) => server.create({}, { headers: { "idempotency-key": "k".repeat(256) } })
      },
      {
        status: 403,
        code: "no_acting_user",
        why: "a key of the organization",
        ask: (server) => server.create({}, { key: internKeys.organization })
      },
      {
        status: 403,
        why: "another workspace",
        ask: (server) => server.create({}, { key: internKeys.other })
      },
      {
        status: 409,
        code: "idempotency_key_reused",
        why: "another request with the same idempotency key",
        ask: async (server) => {
          const headers = { "idempotency-key": "k".repeat(255) }
          await server.create({}, { headers })
          return server.create({ name: "eve" }, { headers })
        }
      },
      {
        status: 409,
        why: "a name that is already used",
        ask: async (server) => {
          await server.create()
          return server.create({ description: "another one" })
        }
      },
      {
        status: 409,
        why: "the same request still in progress",
        serverOptions: { settings: { internCreateTimeoutMillis: 1 } },
        ask: async (server) => {
          server.hosting.script("prepare", Effect.never)
          const controller = new AbortController()
          const first = server.create({}, { signal: controller.signal }).catch(() => undefined)
          await expect.poll(() => countCalls(server, "prepare")).toBe(1)
          const second = await server.create()
          controller.abort()
          await first
          return second
        }
      },
      {
        status: 502,
        code: "upstream_unavailable",
        why: "a failed set-up",
        ask: (server) => {
          server.hosting.script("prepare", makeHostFailure("no room", true))
          return server.create()
        }
      },
      makeStoreUnavailableCase(500),
      makeShutdownCase(500)
    ]
  },
  {
    method: "get",
    openapiPath: "/interns",
    body: undefined,
    statusCases: [
      ...commonCases,
      ...["limit=0", "limit=501", "limit=x", "status=asleep", "starting_after=x"].map(
        (query): StatusCase => ({
          status: 400,
          code: "invalid_body",
          why: query,
          ask: (server) => server.ask("GET", `/interns?${query}`)
        })
      ),
      {
        status: 403,
        why: "another workspace",
        ask: (server) =>
          server.ask("GET", "/interns?workspace_id=5f0c6c1e-6a5b-4f6e-9f0e-0123456789ab")
      },
      makeStoreUnavailableCase(500),
      makeShutdownCase(500)
    ]
  },
  {
    method: "get",
    openapiPath: "/interns/{internId}",
    body: undefined,
    statusCases: [
      ...commonCases,
      notFoundCase,
      otherWorkspaceCase,
      makeStoreUnavailableCase(500),
      makeShutdownCase(500)
    ]
  },
  {
    method: "patch",
    openapiPath: "/interns/{internId}",
    body: { description: "other" },
    statusCases: [
      ...commonCases,
      ...bodyCases,
      notFoundCase,
      otherWorkspaceCase,
      ...[{ model: "words" }, { model: `a/${"b".repeat(199)}` }, { name: "a" }, { name: null }].map(
        (body): StatusCase => ({
          status: 400,
          code: "invalid_body",
          why: JSON.stringify(body).slice(0, 20),
          ask: (server, operation) => sendOperation(server, operation, unknownId, { body })
        })
      ),
      {
        status: 409,
        why: "a name that is already used",
        ask: async (server, operation) => {
          await server.create({ name: "eve" })
          return sendOperation(server, operation, await createStopped(server), {
            body: { name: "eve" }
          })
        }
      },
      makeStoreUnavailableCase(500),
      makeShutdownCase(500)
    ]
  },
  {
    method: "delete",
    openapiPath: "/interns/{internId}",
    body: undefined,
    statusCases: [
      ...commonCases,
      ...bodyCases,
      notFoundCase,
      otherWorkspaceCase,
      {
        status: 400,
        code: "invalid_body",
        why: "an invalid acknowledgement",
        ask: (server, operation) =>
          sendOperation(server, operation, unknownId, {
            body: { acknowledge_workspace_loss: "yes" }
          })
      },
      makeWrongStatusCase(async (server) => {
        server.hosting.script("destroy", Effect.never)
        const id = await createStopped(server)
        await server.ask("DELETE", `/interns/${id}`)
        return id
      }),
      {
        status: 409,
        why: "an unacknowledged loss of its work",
        ask: async (server, operation) => {
          server.hosting.script("archive", makeHostFailure("the disk is gone", true))
          const id = await server.createRunning()
          await server.ask("DELETE", `/interns/${id}`)
          await server.until(id, "destroy_failed")
          return sendOperation(server, operation, id, {
            body: { acknowledge_workspace_loss: false }
          })
        }
      },
      makeStoreUnavailableCase(502),
      makeShutdownCase(502)
    ]
  },
  {
    method: "post",
    openapiPath: "/interns/{internId}/provision",
    body: undefined,
    statusCases: [
      ...commonCases,
      ...bodyCases,
      unreadBodyCase,
      notFoundCase,
      otherWorkspaceCase,
      makeWrongStatusCase((server) => server.createRunning()),
      makeStoreUnavailableCase(502),
      makeShutdownCase(502)
    ]
  },
  {
    method: "post",
    openapiPath: "/interns/{internId}/suspend",
    body: undefined,
    statusCases: [
      ...commonCases,
      ...bodyCases,
      unreadBodyCase,
      notFoundCase,
      otherWorkspaceCase,
      makeWrongStatusCase(createStopped),
      makeStoreUnavailableCase(502),
      makeShutdownCase(502)
    ]
  }
]

const cases = operations.flatMap(({ statusCases, ...operation }) =>
  statusCases.map((each) => ({
    operation,
    method: operation.method,
    path: operation.openapiPath,
    ...each
  }))
)

describeWithReference("the statuses of interns", (pathOf) => {
  const schemas = () => loadOpenApiSchemas(pathOf("wire/openapi.json"))

  test.each(operations)(
    "of $method $openapiPath are all covered",
    ({ method, statusCases, openapiPath }) => {
      const listed = schemas().listStatuses(method, openapiPath)
      const covered = Array.from(new Set(statusCases.map(({ status }) => status)))
      // Every operation may answer 429, although the document does not list it for interns.
      expect(covered.toSorted((one, other) => one - other)).toEqual(
        [...listed.filter((status) => status >= 400), 429].toSorted((one, other) => one - other)
      )
    }
  )

  test.each(cases)("$method $path: $status, $why", async (statusCase) => {
    const { ask, code, operation, method, path, serverOptions, status } = statusCase
    const answer = await ask(await startInternTestServer(serverOptions), operation)
    expect([answer.status, parseErrorEnvelope(answer).code]).toEqual([status, code ?? status])
    expect(schemas().listProblems(method, path, answer)).toEqual([])
    expect(answer.text).not.toContain("db.internal")
    expect(parseErrorEnvelope(answer).metadata).not.toBeNull()
  })
})

test("the rate limit error of the interns API has a retry-after header", async () => {
  const server = await startInternTestServer({
    settings: { rateLimit: { requests: 1, windowMillis: 60_000 } }
  })
  await server.ask("GET", "/interns")
  const answer = await server.ask("GET", "/interns")
  expect(parseErrorEnvelope(answer)).toEqual({
    code: 429,
    message: "Rate limit exceeded: 1 requests per window for this key",
    metadata: { reason: "rate_limit_exceeded", retryable: true }
  })
  expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0)
})

test("an unknown key gets the error of the interns API", async () => {
  const server = await startInternTestServer()
  const answers = await Promise.all(
    ["", "sk-nobody"].map((key) => server.ask("GET", "/interns", { key }))
  )
  const refused = { code: 401, message: "Invalid or missing API key" }
  expect(answers.map(parseErrorEnvelope)).toEqual([
    { ...refused, metadata: undefined },
    { ...refused, metadata: { reason: "unknown_key", retryable: false } }
  ])
})
