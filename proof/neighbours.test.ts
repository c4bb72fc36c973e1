/** Nothing of another account, or of another workspace, is seen from outside. */
import { type Operation, operations } from "@signalbox/core/adapter"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Answer } from "./Answer.ts"
import { deliverIn } from "./deliver.ts"
import {
  type Ask,
  askings,
  type Estate,
  furnish,
  nameOf,
  nowhere,
  pathOf,
  statusOf
} from "./estate.ts"
import { ObservedStage, observedKeys } from "./ObservedStage.ts"
import { send } from "./send.ts"
import { storeCallsOf } from "./storeCalls.ts"
import { filming } from "./studio.ts"

let stage: ObservedStage
let storeCalls: () => ReadonlyArray<string>
/** Of the default account, and of the one that looks at it. */
let ours: Keyed
let theirs: Keyed

/** With the secret of a key of its workspace. */
type Keyed = Awaited<ReturnType<typeof furnish>>

const askWith =
  (key: string): Ask =>
  (method, path, body) =>
    send(stage.root + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? undefined : { "content-type": "application/json" })
      },
      body: body === undefined ? undefined : JSON.stringify(body)
    })

/** Who may ask for it of those who have an estate: whoever manages it, or whoever has a key of its workspace. */
const askerOf = (operation: Operation, managing: Ask, { secret }: Keyed): Ask => {
  const needs = askings(nowhere())[nameOf(operation)]?.needs
  return needs === "a key of a workspace" ||
    needs === "a key that runs models" ||
    needs === "a key that talks to interns"
    ? askWith(secret)
    : managing
}

const manage: Ask = (...asked) => askWith(observedKeys.management)(...asked)
const foreign: Ask = (...asked) => askWith(observedKeys.foreign)(...asked)

beforeAll(async () => {
  stage = await ObservedStage.open({
    sealing: { current: "k1", keys: { k1: "a sealing key that nobody is going to guess" } },
    // What the box asks by itself is not what an answer took.
    settings: { videoSweepMillis: 3_600_000 }
  })
  storeCalls = storeCallsOf(stage.box)
  ours = await furnish(manage, askWith, deliverIn(stage.box))
  theirs = await furnish(foreign, askWith, deliverIn(stage.box, "foreign"))
})
afterAll(() => stage[Symbol.asyncDispose]())

/** All that tells an answer from another, but for its own id and the ids of what was asked for. */
const seen = ({ headers, status, text }: Answer, estate: Estate) => {
  const { date: _, "x-request-id": __, ...rest } = headers
  return {
    status,
    headers: rest,
    text: Object.entries(estate).reduce((all, [name, id]) => all.replaceAll(id, name), text)
  }
}

/** What asking for something of an estate comes to, and how often the stores were asked on the way. */
const lookedAt = async (estate: Estate, ask: (estate: Estate) => Promise<Answer>) => {
  storeCalls()
  const answer = seen(await ask(estate), estate)
  return { answer, calls: storeCalls() }
}

/** The same for something of ours and for something that never was. */
const bothWays = async (ask: (estate: Estate) => Promise<Answer>) => {
  // Whoever asks is known by now: keys are looked up once.
  await ask(nowhere())
  return { known: await lookedAt(ours, ask), unknown: await lookedAt(nowhere(), ask) }
}

/** It names nothing but the workspace of its key, and whatever else it names is not looked for. */
const unlooked = new Set(["interns.create"])

const addressed = operations.filter(
  (operation) =>
    askings(nowhere())[nameOf(operation)]?.foreign !== undefined && !unlooked.has(nameOf(operation))
)

describe("what another account owns is as if it never was", () => {
  test("says every operation with an id in its path", () => {
    // What is put into a vault is named by whoever puts it there.
    const withId = operations.filter(
      (operation) =>
        operation.path.includes(":") &&
        operation.group !== "catalog" &&
        nameOf(operation) !== "vault.put"
    )
    expect(addressed.map(nameOf)).toEqual(expect.arrayContaining(withId.map(nameOf)))
  })

  test.each(addressed.map((operation) => [nameOf(operation), operation] as const))(
    "%s",
    async (name, operation) => {
      const { known, unknown } = await bothWays((estate) => {
        const { body, query = "" } = askings(estate)[name]!
        const ask = askerOf(operation, foreign, theirs)
        return ask(operation.method, pathOf(operation, estate) + query, body)
      })
      expect(known).toEqual(unknown)
      expect(known.answer.status).toBe(statusOf(askings(ours)[name]!.foreign!))
      expect(known.calls).not.toEqual([])
    }
  )

  /** Where it is named elsewhere than in a path of its own. */
  const mentions: ReadonlyArray<{
    readonly what: string
    readonly status: number
    readonly method: string
    readonly path: (estate: Estate) => string
    readonly body?: (estate: Estate) => object
  }> = [
    ...["keys", "guardrails", "byok", "signalbox/byok"].flatMap((list) =>
      (["workspace", "slug"] as const).map((by) => ({
        what: `${list} of a workspace, by its ${by}`,
        status: 400,
        method: "GET",
        path: (estate: Estate) => `/${list}?workspace_id=${estate[by]}`
      }))
    ),
    ...Object.entries({
      keys: { name: "x" },
      guardrails: { name: "x" },
      byok: { provider: "first", key: "sk-x" }
    }).map(([list, body]) => ({
      what: `${list} made in a workspace`,
      status: 400,
      method: "POST",
      path: () => `/${list}`,
      body: ({ workspace }: Estate) => ({ ...body, workspace_id: workspace })
    })),
    {
      what: "a workspace that is planned for",
      status: 400,
      method: "POST",
      path: () => "/signalbox/plan",
      body: ({ workspace }) => ({ request: filming, workspace_id: workspace })
    },
    {
      what: "a video that is planned to be continued",
      status: 404,
      method: "POST",
      path: () => "/signalbox/plan",
      body: ({ video }) => ({
        request: { ...filming, previous_job_id: video },
        workspace_id: theirs.workspace
      })
    },
    {
      what: "a workspace by its slug",
      status: 404,
      method: "GET",
      path: ({ slug }) => `/workspaces/${slug}`
    },
    {
      what: "a key that a guardrail is assigned to",
      status: 400,
      method: "POST",
      path: () => `/guardrails/${theirs.guardrail}/assignments/keys`,
      body: ({ key }) => ({ key_hashes: [key] })
    },
    {
      what: "a key that a guardrail is taken from",
      status: 200,
      method: "POST",
      path: () => `/guardrails/${theirs.guardrail}/assignments/keys/remove`,
      body: ({ key }) => ({ key_hashes: [key] })
    },
    {
      what: "a member that a guardrail is taken from",
      status: 200,
      method: "POST",
      path: () => `/guardrails/${theirs.guardrail}/assignments/members/remove`,
      body: ({ user }) => ({ member_user_ids: [user] })
    },
    {
      what: "a member who leaves",
      status: 200,
      method: "POST",
      path: () => `/workspaces/${theirs.workspace}/members/remove`,
      body: ({ user }) => ({ user_ids: [user] })
    },
    {
      what: "a signing secret",
      status: 404,
      method: "DELETE",
      path: ({ signing }) => `/signalbox/workspaces/${theirs.workspace}/webhook/secrets/${signing}`
    },
    {
      what: "credentials in order",
      status: 400,
      method: "PUT",
      path: () => "/signalbox/byok/order",
      body: ({ credential }) => ({ ids: [theirs.credential, credential] })
    }
  ]

  test.each(mentions)("$what", async ({ body, method, path, status }) => {
    const { known, unknown } = await bothWays((estate) =>
      foreign(method, `/api/v1${path(estate)}`, body?.(estate))
    )
    expect(known).toEqual(unknown)
    expect(known.answer.status).toBe(status)
    expect(known.calls).not.toEqual([])
  })

  test("a slug that another account took is free", async () => {
    const { known, unknown } = await bothWays((estate) =>
      foreign("POST", "/api/v1/workspaces", { name: "x", slug: estate.slug })
    )
    expect([known.answer.status, known.calls]).toEqual([201, unknown.calls])
  })
})

test("a record of another workspace is to its neighbours as if it never was", async () => {
  const { known, unknown } = await bothWays(({ generation }) =>
    askWith(observedKeys.elsewhere)("GET", `/api/v1/generation?id=${generation}`)
  )
  expect(known).toEqual(unknown)
  expect(known.answer.status).toBe(404)
})

const reading = operations.filter(({ method }) => method === "GET")

/** What is read of an estate: each operation with the words for it. */
const read = (all: ReadonlyArray<Operation>, estate: Keyed, scope = "") =>
  Promise.all(
    all.map(async (operation) => {
      const { query = scope } = askings(estate)[nameOf(operation)]!
      const ask = askerOf(operation, manage, estate)
      const { status, text } = await ask("GET", pathOf(operation, estate) + query)
      return [nameOf(operation), status, text] as const
    })
  )

/** Whether everything could be read. */
const isRead = ([, status]: readonly [string, number, string]): boolean => status === 200

const changing = operations.filter(({ method }) => method === "PATCH" || method === "PUT")

/** Makes one of everything with `ask`, and changes it in every way but those that are left out. */
const come = async (ask: Ask, unchanged: ReadonlyArray<string> = []): Promise<Keyed> => {
  const estate = await furnish(
    ask,
    askWith,
    deliverIn(stage.box, ask === foreign ? "foreign" : undefined)
  )
  for (const operation of changing) {
    const name = nameOf(operation)
    if (unchanged.includes(name)) continue
    const answer = await askerOf(operation, ask, estate)(
      operation.method,
      pathOf(operation, estate),
      askings(estate)[name]?.body
    )
    if (answer.status !== 200) throw new Error(`${name}: ${answer.text}`)
  }
  return estate
}

const go = (ask: Ask, { workspace }: Estate): Promise<Answer> =>
  ask("DELETE", `/api/v1/workspaces/${workspace}`)

describe("what comes, changes and goes", () => {
  test("in another account moves nothing that an account reads", async () => {
    // How endpoints fare is measured of all requests together.
    const shared = new Set(["catalog.endpoints", "catalog.zdrEndpoints"])
    const all = reading.filter(
      (operation) => operation.group !== "operations" && !shared.has(nameOf(operation))
    )
    const before = await read(all, ours)
    expect(before.every(isRead)).toBe(true)
    const estate = await come(foreign)
    await foreign("PATCH", "/api/v1/signalbox/account", { only: ["nobody"] })
    expect(await read(all, ours)).toEqual(before)
    expect((await go(foreign, estate)).status).toBe(200)
    expect(await read(all, ours)).toEqual(before)
  })

  test("in another workspace moves nothing that is read of a workspace", async () => {
    const lists = new Set([
      "byok.list",
      "byok.states",
      "deliveries.list",
      "guardrails.list",
      "interns.list",
      "keys.list",
      "vault.list"
    ])
    const all = reading.filter((operation) => {
      const name = nameOf(operation)
      return lists.has(name) || askings(ours)[name]?.foreign !== undefined
    })
    const ofOurs = `?workspace_id=${ours.workspace}`
    const before = await read(all, ours, ofOurs)
    expect(before.every(isRead)).toBe(true)
    // Credentials are in one order for all workspaces of an account.
    const estate = await come(manage, ["byok.order"])
    expect(await read(all, ours, ofOurs)).toEqual(before)
    expect((await go(manage, estate)).status).toBe(200)
    expect(await read(all, ours, ofOurs)).toEqual(before)
  })
})
