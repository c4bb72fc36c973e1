/** The operations of videos return every error status that the public OpenAPI document lists, and no other. */
import { StoreUnavailable } from "@signalbox/core/stores"
import { VideoStore } from "@signalbox/core/stores"
import { fault } from "@signalbox/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { expect, test } from "vitest"
import { describeWithReference } from "../../packages/core/test/reference.ts"
import { type HttpResponse, parseErrorEnvelope } from "../support/HttpResponse.ts"
import { getId, startVideoTestServer, terminalStatuses, videoKeys } from "./VideoTestServer.ts"
import { loadOpenApiSchemas } from "../support/OpenApiSchemas.ts"

type VideoTestServer = Awaited<ReturnType<typeof startVideoTestServer>>
type SendOptions = NonNullable<Parameters<VideoTestServer["ask"]>[2]>

const unknownId = "gen-vid-1-aaaaaaaaaaaaaaaaaaaa"

interface StatusCase {
  readonly status: number
  readonly why: string
  readonly ask: (server: VideoTestServer) => Promise<HttpResponse>
}

const failUnavailable = () =>
  Effect.die(new StoreUnavailable({ cause: new Error("no way to db.internal") }))

/** Makes every method of the store fail as with an unavailable database. */
const failStore = ({ instance }: VideoTestServer): void => {
  const store = Context.get(instance.context, VideoStore)
  // The store is changed in place, as services already refer to it.
  Object.assign(
    store,
    Object.fromEntries(Object.keys(store).map((verb) => [verb, failUnavailable]))
  )
}

const createCompleted = async (server: VideoTestServer): Promise<string> => {
  const id = getId(await server.submit())
  await server.until(id, "completed")
  return id
}

const getVideo = (server: VideoTestServer, id = unknownId, sending: SendOptions = {}) =>
  server.ask("GET", `/videos/${id}`, sending)
const getContent = (server: VideoTestServer, id = unknownId, sending: SendOptions = {}) =>
  server.ask("GET", `/videos/${id}/content`, sending)

/** Requests the file of a completed job while its provider answers the download with `step`. */
const getContentDuring = async (
  server: VideoTestServer,
  step: Parameters<typeof fault.status>[0]
) => {
  const id = await createCompleted(server)
  server.upstreams.first.when(({ path }) => path.includes("/content")).always(fault.status(step))
  return getContent(server, id)
}

const unknownKey = { key: "sk-nobody" }
const managementKey = { key: videoKeys.management }

const operations: ReadonlyArray<{
  readonly method: string
  readonly path: string
  readonly statusCases: ReadonlyArray<StatusCase>
}> = [
  {
    method: "post",
    path: "/videos",
    statusCases: [
      { status: 400, why: "no prompt", ask: (server) => server.submit({ prompt: null }) },
      { status: 401, why: "an unknown key", ask: (server) => server.submit({}, unknownKey) },
      { status: 402, why: "insufficient credits", ask: (server) => server.submit({ duration: 8 }) },
      { status: 403, why: "a management key", ask: (server) => server.submit({}, managementKey) },
      {
        status: 404,
        why: "no eligible provider",
        ask: (server) => server.submit({ provider: { zdr: true } })
      },
      {
        status: 413,
        why: "a large body",
        ask: (server) => server.submit({ prompt: "x".repeat(1_048_577) })
      },
      {
        status: 429,
        why: "rate-limited providers",
        ask: async (server) => {
          for (const upstream of Object.values(server.upstreams)) {
            upstream.always(fault.status(429, { retryAfter: 60 }))
          }
          await server.until(getId(await server.submit()), ...terminalStatuses)
          return server.submit()
        }
      },
      {
        status: 500,
        why: "an unavailable store",
        ask: (server) => {
          failStore(server)
          return server.submit()
        }
      }
    ]
  },
  {
    method: "get",
    path: "/videos/{jobId}",
    statusCases: [
      {
        status: 401,
        why: "an unknown key",
        ask: (server) => getVideo(server, unknownId, unknownKey)
      },
      {
        status: 403,
        why: "a management key",
        ask: (server) => getVideo(server, unknownId, managementKey)
      },
      { status: 404, why: "an unknown job", ask: (server) => getVideo(server) },
      {
        status: 500,
        why: "an unavailable store",
        ask: (server) => {
          failStore(server)
          return getVideo(server)
        }
      }
    ]
  },
  {
    method: "get",
    path: "/videos/{jobId}/content",
    statusCases: [
      {
        status: 400,
        why: "an invalid index",
        ask: (server) => server.ask("GET", `/videos/${unknownId}/content?index=-1`)
      },
      {
        status: 401,
        why: "an unknown key",
        ask: (server) => getContent(server, unknownId, unknownKey)
      },
      {
        status: 403,
        why: "a management key",
        ask: (server) => getContent(server, unknownId, managementKey)
      },
      { status: 404, why: "an unknown job", ask: (server) => getContent(server) },
      {
        status: 409,
        why: "an unfinished job",
        ask: async (server) => {
          server.upstreams.first.videos.always("in_progress")
          return getContent(server, getId(await server.submit()))
        }
      },
      {
        status: 410,
        why: "a file deleted by its provider",
        ask: (server) => getContentDuring(server, 410)
      },
      {
        status: 500,
        why: "an unavailable store",
        ask: (server) => {
          failStore(server)
          return getContent(server)
        }
      },
      {
        status: 502,
        why: "a failing provider",
        ask: (server) => getContentDuring(server, 500)
      }
    ]
  }
]

describeWithReference("the statuses of videos", (pathOf) => {
  const schemas = () => loadOpenApiSchemas(pathOf("wire/openapi.json"))

  test.each(operations)("of $method $path are all covered", ({ method, path, statusCases }) => {
    const listed = schemas().listStatuses(method, path)
    expect(statusCases.map(({ status }) => status)).toEqual(
      listed.filter((status) => status >= 400)
    )
  })

  test.each(
    operations.flatMap(({ statusCases, ...at }) => statusCases.map((each) => ({ ...at, ...each })))
  )("$method $path: $status, $why", async ({ ask, method, path, status }) => {
    const server = await startVideoTestServer({ options: { credits: { default: "0.5" } } })
    const answer = await ask(server)
    expect([answer.status, parseErrorEnvelope(answer).code]).toEqual([status, status])
    expect(schemas().listProblems(method, path, answer)).toEqual([])
    expect(answer.text).not.toContain("db.internal")
  })
})

test("an unavailable store results in a retryable 500 for operations without a 503", async () => {
  const server = await startVideoTestServer()
  failStore(server)
  const answer = await server.submit()
  expect(parseErrorEnvelope(answer)).toEqual({
    code: 500,
    message: "The storage of the service is unavailable",
    metadata: {
      error_type: "provider_overloaded",
      availability: { code: "storage_unavailable", retryable: true }
    }
  })
  expect(answer.headers["retry-after"]).toBe("1")
  const managed = await server.ask("GET", "/signalbox/videos", managementKey)
  expect(managed.status).toBe(503)
})

test("a closing instance rejects videos like every request", async () => {
  const server = await startVideoTestServer()
  await server.instance.close()
  const answers = await Promise.all([server.submit(), getVideo(server), getContent(server)])
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 503])
})
