/** Each status that the wire lists for the operations of interns, told over HTTP, and no other. */
import { request } from "node:http"
import { StoreUnavailable } from "@signalbox/core"
import { InternStore } from "@signalbox/core/stores"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { hostFails } from "@signalbox/testing"
import { expect, test } from "vitest"
import { describeWithReference } from "../packages/core/test/reference.ts"
import { type Answer, errorIn, parsed } from "./Answer.ts"
import {
  countOf,
  idOf,
  internKeys,
  type InternScene,
  type InternStage,
  newIntern,
  openInterns
} from "./InternStage.ts"
import { wireSchemas } from "./wireSchemas.ts"

type Sending = NonNullable<Parameters<InternStage["ask"]>[2]>

const unknownId = "intern_0123456789abcdefghij"

interface Told {
  readonly status: number
  /** Default: the status. */
  readonly code?: string
  readonly why: string
  readonly scene?: InternScene
  readonly ask: (stage: InternStage, door: Door) => Promise<Answer>
}

/** An operation, asked of an intern. */
interface Door {
  readonly method: string
  readonly wirePath: string
  /** What is sent where nothing else is said. */
  readonly body: unknown
}

const pathTo = ({ wirePath }: Door, id: string): string => wirePath.replace("{internId}", id)
const askAt = (stage: InternStage, door: Door, id: string, sending: Sending = {}) =>
  stage.ask(door.method.toUpperCase(), pathTo(door, id), {
    ...(door.body === undefined ? undefined : { body: door.body }),
    ...sending
  })

const away = () => Effect.die(new StoreUnavailable({ cause: new Error("no way to db.internal") }))
const broken = () => Effect.die(new Error("no way to db.internal"))
const never = () => Effect.never

/** Every verb of the store does this; the services hold on to the store they were made with. */
const spoil = ({ box }: InternStage, verb: () => Effect.Effect<never>): void => {
  const store = Context.get(box.context, InternStore)
  Object.assign(store, Object.fromEntries(Object.keys(store).map((each) => [each, verb])))
}

const stopped = async (stage: InternStage): Promise<string> => idOf(await stage.create())

const anywhere: ReadonlyArray<Told> = [
  {
    status: 401,
    why: "no such key",
    ask: (stage, door) => askAt(stage, door, unknownId, { key: "sk-nobody" })
  },
  {
    status: 403,
    why: "a management key",
    ask: (stage, door) => askAt(stage, door, unknownId, { key: internKeys.management })
  },
  {
    status: 403,
    why: "a regional hostname",
    scene: { settings: { regionalHostnames: ["EU.example.com"] } },
    ask: (stage, door) =>
      askAt(stage, door, unknownId, { headers: { host: "eu.Example.com.:8443" } })
  },
  {
    status: 429,
    why: "called too often",
    scene: { settings: { rateLimit: { requests: 1, windowMillis: 60_000 } } },
    ask: async (stage, door) => {
      await stage.ask("GET", "/interns")
      return askAt(stage, door, unknownId)
    }
  },
  {
    status: 404,
    code: "not_found",
    why: "outside the programme",
    scene: { programme: ({ user }) => Promise.resolve(user !== "mem-1") },
    ask: (stage, door) => askAt(stage, door, unknownId)
  },
  {
    status: 408,
    why: "its store does not answer",
    scene: { settings: { internRequestDeadlineMillis: 50 } },
    ask: (stage, door) => {
      spoil(stage, never)
      return askAt(stage, door, unknownId)
    }
  },
  {
    status: 500,
    code: "internal_error",
    why: "a fault",
    ask: (stage, door) => {
      spoil(stage, broken)
      return askAt(stage, door, unknownId)
    }
  }
]

const withBody: ReadonlyArray<Told> = [
  {
    status: 400,
    code: "invalid_body",
    why: "no JSON",
    ask: (stage, door) => askAt(stage, door, unknownId, { body: "{" })
  },
  {
    status: 400,
    code: "invalid_body",
    why: "no object",
    ask: (stage, door) => askAt(stage, door, unknownId, { body: "[]" })
  },
  {
    status: 408,
    why: "a body that does not come",
    scene: { settings: { internRequestDeadlineMillis: 100 } },
    ask: (stage, door) => withheld(stage, door)
  },
  {
    status: 413,
    code: "payload_too_large",
    why: "a long body",
    ask: (stage, door) => askAt(stage, door, unknownId, { body: long })
  },
  {
    status: 413,
    code: "payload_too_large",
    why: "a long body where other operations take longer ones",
    scene: { settings: { bodyLimitBytes: 4_000_000 } },
    ask: (stage, door) => askAt(stage, door, unknownId, { body: long })
  },
  {
    status: 413,
    code: "payload_too_large",
    why: "a long body in pieces",
    ask: (stage, door) => askAt(stage, door, unknownId, { body: long, chunked: true })
  },
  {
    status: 415,
    why: "a body of another type",
    ask: (stage, door) =>
      askAt(stage, door, unknownId, { body: "{}", headers: { "content-type": "text/plain" } })
  }
]

const ofOne: Told = {
  status: 404,
  code: "not_found",
  why: "no such intern",
  ask: (stage, door) => askAt(stage, door, unknownId)
}

/** Of another workspace's intern nothing is told. */
const ofOthers: Told = {
  status: 404,
  code: "not_found",
  why: "an intern of another workspace",
  ask: async (stage, door) => askAt(stage, door, await stopped(stage), { key: internKeys.other })
}

const takesNoBody: Told = {
  status: 400,
  code: "invalid_body",
  why: "a body with a field",
  ask: (stage, door) => askAt(stage, door, unknownId, { body: { any: null } })
}

const storeAway = (status: 500 | 502): Told => ({
  status,
  code: status === 500 ? "internal_error" : "upstream_unavailable",
  why: "its store is away",
  ask: (stage, door) => {
    spoil(stage, away)
    return askAt(stage, door, unknownId)
  }
})

const closing = (status: 500 | 502): Told => ({
  status,
  code: status === 500 ? "internal_error" : "upstream_unavailable",
  why: "the box is closed",
  ask: async (stage, door) => {
    await stage.box.close()
    return askAt(stage, door, unknownId)
  }
})

const long = JSON.stringify({ name: "x".repeat(1_048_577) })

/** Declares a body, and sends the half of it. */
const withheld = (stage: InternStage, door: Door): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(
      `${stage.root}/api/v1${pathTo(door, unknownId)}`,
      {
        method: door.method.toUpperCase(),
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
            body: parsed(text)
          })
        })
      }
    )
    sent.on("error", reject)
    sent.write("{")
  })

const wrongStatus = (of: (stage: InternStage) => Promise<string>): Told => ({
  status: 409,
  why: "not in a state for it",
  ask: async (stage, door) => askAt(stage, door, await of(stage))
})

const operations: ReadonlyArray<Door & { readonly told: ReadonlyArray<Told> }> = [
  {
    method: "post",
    wirePath: "/interns",
    body: newIntern(),
    told: [
      ...anywhere,
      ...withBody,
      {
        status: 400,
        code: "invalid_body",
        why: "no workspace",
        ask: (stage) => stage.create({ workspace_id: undefined })
      },
      {
        status: 400,
        code: "invalid_body",
        why: "a name with capitals",
        ask: (stage) => stage.create({ name: "Ada" })
      },
      {
        status: 400,
        code: "invalid_body",
        why: "an empty key",
        ask: (stage) => stage.create({}, { headers: { "idempotency-key": "" } })
      },
      {
        status: 400,
        code: "invalid_body",
        why: "a key that is too long",
        ask: (stage) => stage.create({}, { headers: { "idempotency-key": "k".repeat(256) } })
      },
      {
        status: 403,
        code: "no_acting_user",
        why: "a key of the organization",
        ask: (stage) => stage.create({}, { key: internKeys.organization })
      },
      {
        status: 403,
        why: "another workspace",
        ask: (stage) => stage.create({}, { key: internKeys.other })
      },
      {
        status: 409,
        code: "idempotency_key_reused",
        why: "another request with the key",
        ask: async (stage) => {
          const headers = { "idempotency-key": "k".repeat(255) }
          await stage.create({}, { headers })
          return stage.create({ name: "eve" }, { headers })
        }
      },
      {
        status: 409,
        why: "the name is taken",
        ask: async (stage) => {
          await stage.create()
          return stage.create({ description: "another one" })
        }
      },
      {
        status: 409,
        why: "the same request is under way for long",
        scene: { settings: { internCreateWaitMillis: 1 } },
        ask: async (stage) => {
          stage.hosting.script("prepare", Effect.never)
          const leaving = new AbortController()
          const first = stage.create({}, { signal: leaving.signal }).catch(() => undefined)
          await expect.poll(() => countOf(stage, "prepare")).toBe(1)
          const second = await stage.create()
          leaving.abort()
          await first
          return second
        }
      },
      {
        status: 502,
        code: "upstream_unavailable",
        why: "it cannot be set up",
        ask: (stage) => {
          stage.hosting.script("prepare", hostFails("no room", true))
          return stage.create()
        }
      },
      storeAway(500),
      closing(500)
    ]
  },
  {
    method: "get",
    wirePath: "/interns",
    body: undefined,
    told: [
      ...anywhere,
      ...["limit=0", "limit=501", "limit=x", "status=asleep", "starting_after=x"].map(
        (query): Told => ({
          status: 400,
          code: "invalid_body",
          why: query,
          ask: (stage) => stage.ask("GET", `/interns?${query}`)
        })
      ),
      {
        status: 403,
        why: "another workspace",
        ask: (stage) =>
          stage.ask("GET", "/interns?workspace_id=5f0c6c1e-6a5b-4f6e-9f0e-0123456789ab")
      },
      storeAway(500),
      closing(500)
    ]
  },
  {
    method: "get",
    wirePath: "/interns/{internId}",
    body: undefined,
    told: [...anywhere, ofOne, ofOthers, storeAway(500), closing(500)]
  },
  {
    method: "patch",
    wirePath: "/interns/{internId}",
    body: { description: "other" },
    told: [
      ...anywhere,
      ...withBody,
      ofOne,
      ofOthers,
      ...[{ model: "words" }, { model: `a/${"b".repeat(199)}` }, { name: "a" }, { name: null }].map(
        (body): Told => ({
          status: 400,
          code: "invalid_body",
          why: JSON.stringify(body).slice(0, 20),
          ask: (stage, door) => askAt(stage, door, unknownId, { body })
        })
      ),
      {
        status: 409,
        why: "the name is taken",
        ask: async (stage, door) => {
          await stage.create({ name: "eve" })
          return askAt(stage, door, await stopped(stage), { body: { name: "eve" } })
        }
      },
      storeAway(500),
      closing(500)
    ]
  },
  {
    method: "delete",
    wirePath: "/interns/{internId}",
    body: undefined,
    told: [
      ...anywhere,
      ...withBody,
      ofOne,
      ofOthers,
      {
        status: 400,
        code: "invalid_body",
        why: "an acknowledgement that is none",
        ask: (stage, door) =>
          askAt(stage, door, unknownId, { body: { acknowledge_workspace_loss: "yes" } })
      },
      wrongStatus(async (stage) => {
        stage.hosting.script("destroy", Effect.never)
        const id = await stopped(stage)
        await stage.ask("DELETE", `/interns/${id}`)
        return id
      }),
      {
        status: 409,
        why: "the loss of its work is not acknowledged",
        ask: async (stage, door) => {
          stage.hosting.script("archive", hostFails("the disk is gone", true))
          const id = await stage.hire()
          await stage.ask("DELETE", `/interns/${id}`)
          await stage.until(id, "destroy_failed")
          return askAt(stage, door, id, { body: { acknowledge_workspace_loss: false } })
        }
      },
      storeAway(502),
      closing(502)
    ]
  },
  {
    method: "post",
    wirePath: "/interns/{internId}/provision",
    body: undefined,
    told: [
      ...anywhere,
      ...withBody,
      takesNoBody,
      ofOne,
      ofOthers,
      wrongStatus((stage) => stage.hire()),
      storeAway(502),
      closing(502)
    ]
  },
  {
    method: "post",
    wirePath: "/interns/{internId}/suspend",
    body: undefined,
    told: [
      ...anywhere,
      ...withBody,
      takesNoBody,
      ofOne,
      ofOthers,
      wrongStatus(stopped),
      storeAway(502),
      closing(502)
    ]
  }
]

const cases = operations.flatMap(({ told, ...door }) =>
  told.map((each) => ({ door, method: door.method, path: door.wirePath, ...each }))
)

describeWithReference("the statuses of interns", (pathOf) => {
  const schemas = () => wireSchemas(pathOf("wire/openapi.json"))

  test.each(operations)("of $method $wirePath are all told", ({ method, told, wirePath }) => {
    const listed = schemas().statusesOf(method, wirePath)
    const said = Array.from(new Set(told.map(({ status }) => status)))
    // Exceeding the rate limit yields 429, which no list of interns has. Source: interface specification, Limits.
    expect(said.toSorted((one, other) => one - other)).toEqual(
      [...listed.filter((status) => status >= 400), 429].toSorted((one, other) => one - other)
    )
  })

  test.each(cases)("$method $path: $status, $why", async (told) => {
    const { ask, code, door, method, path, scene, status } = told
    const answer = await ask(await openInterns(scene), door)
    expect([answer.status, errorIn(answer).code]).toEqual([status, code ?? status])
    expect(schemas().problems(method, path, answer)).toEqual([])
    expect(answer.text).not.toContain("db.internal")
    expect(errorIn(answer).metadata).not.toBeNull()
  })
})

test("who calls interns too often is told when to come back", async () => {
  const stage = await openInterns({
    settings: { rateLimit: { requests: 1, windowMillis: 60_000 } }
  })
  await stage.ask("GET", "/interns")
  const answer = await stage.ask("GET", "/interns")
  expect(errorIn(answer)).toEqual({
    code: 429,
    message: "Rate limit exceeded: 1 requests per window for this key",
    metadata: { reason: "rate_limit_exceeded", retryable: true }
  })
  expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0)
})

test("a key nobody issued is told so in the words of interns", async () => {
  const stage = await openInterns()
  const answers = await Promise.all(
    ["", "sk-nobody"].map((key) => stage.ask("GET", "/interns", { key }))
  )
  const refused = { code: 401, message: "Invalid or missing API key" }
  expect(answers.map(errorIn)).toEqual([
    { ...refused, metadata: undefined },
    { ...refused, metadata: { reason: "unknown_key", retryable: false } }
  ])
})
