/** Interns and their vaults are their workspace's alone, and what is planted in them is told nowhere else. */
import { inspect } from "node:util"
import { defaultWorkspaceId } from "@signalbox/core"
import { type Operation, operations } from "@signalbox/core/adapter"
import { type InternHost, InternHostFailure } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import * as Tracer from "effect/Tracer"
import { beforeEach, describe, expect, test } from "vitest"
import type { Answer } from "./Answer.ts"
import { idOf, internKeys, type InternStage, openInterns } from "./InternStage.ts"
import { property } from "./property.ts"

const keys = { ...internKeys, foreign: "sk-proof-interns-foreign-58d2" } as const

const vaulted = { value: "planted-secret-1", hosts: ["machines.example.com"] }

/** Asks for the secrets of an intern, and fails with all it knows. */
const quoting: InternHost = {
  slug: "quoting",
  steps: [
    {
      label: "Quoting",
      run: ({ instructions, release }) =>
        Effect.gen(function* () {
          const released = yield* Effect.orDie(release("machines.example.com"))
          const known = released.map(({ value }) => Redacted.value(value)).join(" ")
          yield* Effect.logWarning("a step of a host begins")
          if (instructions?.includes("dies") === true) {
            return yield* Effect.die(new Error(`it broke: ${known}`))
          }
          return yield* new InternHostFailure({ problem: `it broke: ${known}`, isFinal: true })
        })
    }
  ],
  suspend: () => Effect.void,
  destroy: () => Effect.void
}

const open = async (options: NonNullable<Parameters<typeof openInterns>[0]>["options"] = {}) => {
  const stage = await openInterns({
    options: {
      keys: [
        { key: keys.member, kind: "member", user: "mem-1" },
        { key: keys.mate, kind: "member", user: "mem-2" },
        { key: keys.management, kind: "management" },
        { key: keys.foreign, kind: "member", user: "mem-1", account: "foreign" }
      ],
      ...options
    }
  })
  const { ask } = stage
  const manage = (path: string, body: object) => ask("POST", path, { key: keys.management, body })
  const workspace = property(
    (await manage("/workspaces", { name: "Lab", slug: "lab" })).body,
    "data"
  )
  const workspace_id = String(property(workspace, "id"))
  const issued = await manage("/keys", { name: "lab", workspace_id, creator_user_id: "mem-1" })
  return {
    ...stage,
    /** Of everybody who has interns, by where. */
    neighbours: {
      "another workspace": { key: String(property(issued.body, "key")), workspace_id },
      "another account": { key: keys.foreign, workspace_id: defaultWorkspaceId }
    }
  }
}
type Apart = Awaited<ReturnType<typeof open>>
type Where = keyof Apart["neighbours"]
const places: ReadonlyArray<Where> = ["another workspace", "another account"]

const putIn = (stage: InternStage, id: string, key: string = keys.member) =>
  stage.ask("PUT", `/vault/interns/${id}/secrets/one`, { body: vaulted, key })

const ofOne = operations.filter(({ path }) => path.includes(":internId"))

const bodies: Readonly<Record<string, object>> = {
  "interns.update": { description: "theirs" },
  "vault.putOfIntern": { ...vaulted, value: "theirs" },
  "vault.copyToIntern": { names: ["one"] },
  "internChats.chat": { messages: [{ role: "user", content: "who are you?" }], stream: true }
}

const askFor = (
  stage: Apart,
  { group, method, name, path }: Operation,
  id: string,
  key: string
) => {
  const body = bodies[`${group}.${name}`]
  return stage.ask(
    method,
    path.replace("/api/v1", "").replace(":internId", id).replace(":name", "one"),
    { key, ...(body === undefined ? {} : { body }) }
  )
}

/** All that tells an answer from another, but for the id that was asked for. */
const seen = ({ headers, status, text }: Answer, id: string) => {
  const { date: _, "x-request-id": __, ...rest } = headers
  return { status, headers: rest, text: text.replaceAll(id, "id") }
}

/** What its own workspace is told of an intern. */
const standing = async (stage: Apart, id: string) => [
  (await stage.ask("GET", `/interns/${id}`)).text,
  (await stage.ask("GET", `/vault/interns/${id}/secrets`)).text
]

const unknownId = "intern_00000000000000000000"

const rowsOf = ({ body }: Answer) => property(body, "data") as ReadonlyArray<unknown>
const idsOf = (answer: Answer) => rowsOf(answer).map((row) => property(row, "id"))

describe.each(places)("to %s", (where) => {
  let stage: Apart
  let id: string
  let neighbour: { readonly key: string; readonly workspace_id: string }
  beforeEach(async () => {
    stage = await open()
    id = await stage.hire()
    neighbour = stage.neighbours[where]
    expect((await putIn(stage, id)).status).toBe(200)
    // A secret of this name is to be copied, and would be.
    const own = { body: vaulted, key: neighbour.key }
    expect((await stage.ask("PUT", "/vault/secrets/one", own)).status).toBe(200)
  })

  test("an intern and its vault are as if they never were, in every operation, and stay as they are", async () => {
    expect(ofOne.length).toBeGreaterThanOrEqual(9)
    const before = await standing(stage, id)
    for (const operation of ofOne) {
      const known = await askFor(stage, operation, id, neighbour.key)
      const unknown = await askFor(stage, operation, unknownId, neighbour.key)
      expect([operation.name, seen(known, id)]).toEqual([operation.name, seen(unknown, unknownId)])
      expect([operation.name, known.status]).toEqual([operation.name, 404])
    }
    expect(await standing(stage, id)).toEqual(before)
  })

  test("a list shows none of it, wherever it begins", async () => {
    const { ask, create } = stage
    const { key, workspace_id } = neighbour
    const ours = [id]
    const theirs: Array<string> = []
    for (const name of ["bob", "cleo", "dora"]) {
      ours.unshift(idOf(await create({ name })))
      theirs.unshift(idOf(await create({ name, workspace_id }, { key })))
    }
    const cursors: Array<unknown> = []
    for (const asking of [keys.member, key]) {
      const { body } = await ask("GET", "/interns?limit=2", { key: asking })
      cursors.push(property(body, "next_cursor"))
    }
    expect(cursors).toEqual([expect.any(String), expect.any(String)])
    for (const cursor of ["", ...cursors.map((each) => `&starting_after=${String(each)}`)]) {
      const here = idsOf(await ask("GET", `/interns?limit=500${cursor}`))
      const there = idsOf(await ask("GET", `/interns?limit=500${cursor}`, { key }))
      // What is left of a list stands as it stood in it.
      expect(here).toEqual(ours.slice(ours.length - here.length))
      expect(there).toEqual(theirs.slice(theirs.length - there.length))
    }
  })

  test("its vault cannot be borrowed, and nobody is told that it is there", async () => {
    const { key, workspace_id } = neighbour
    const vault = String(property((await stage.ask("GET", `/interns/${id}`)).body, "vault_id"))
    const none = crypto.randomUUID()
    const borrow = (vault_id: string) =>
      stage.create({ name: "thief", vault_id, workspace_id }, { key })
    const known = await borrow(vault)
    expect(seen(known, vault)).toEqual(seen(await borrow(none), none))
    expect(known.status).toBe(400)
    expect(rowsOf(await stage.ask("GET", "/interns", { key }))).toEqual([])
  })

  test("a name and an Idempotency-Key that are taken are free", async () => {
    const { key, workspace_id } = neighbour
    const headers = { "idempotency-key": "once" }
    const here = await stage.create({ name: "bob" }, { headers })
    const there = await stage.create({ name: "bob", workspace_id }, { headers, key })
    expect([here.status, there.status]).toEqual([201, 201])
    expect(idOf(there)).not.toBe(idOf(here))
    const other = await stage.create({ name: "ada", workspace_id }, { key })
    expect(other.status).toBe(201)
  })
})

const planted = /planted-[a-z]+-\d/g
const found = (text: string): ReadonlyArray<string> => text.match(planted) ?? []
const ofSecrets = (text: string) => found(text).filter((each) => each.startsWith("planted-secret"))

test("what is planted in an intern is told to its workspace, and its secrets to nobody", async () => {
  const logs: Array<string> = []
  const spans: Array<Tracer.NativeSpan> = []
  const stage = await open({
    interns: { host: quoting },
    log: true,
    telemetry: Layer.mergeAll(
      Layer.succeed(References.MinimumLogLevel, "All"),
      Logger.layer([
        Logger.make(({ cause, fiber, message }) => {
          const annotations = fiber.getRef(References.CurrentLogAnnotations)
          logs.push(inspect([message, cause, annotations], { depth: 12 }))
        })
      ]),
      Layer.succeed(
        Tracer.Tracer,
        Tracer.make({
          span: (options) => {
            const span = new Tracer.NativeSpan(options)
            spans.push(span)
            return span
          }
        })
      )
    )
  })
  const { ask, box, create, neighbours, until } = stage
  const answers: Array<Answer> = []
  const ids: Array<string> = []
  for (const [name, how] of [
    ["ada", "planted-instructions-1"],
    ["eve", "dies planted-instructions-2"]
  ]) {
    const made = await create({ name, instructions: how, description: "planted-description-1" })
    const path = `/interns/${idOf(made)}`
    ids.push(idOf(made))
    answers.push(await putIn(stage, idOf(made)))
    answers.push(await ask("POST", `${path}/provision`))
    const told = await ask("GET", path)
    expect(told.text).toContain(how)
    answers.push(
      told,
      await ask("GET", `/vault${path}/secrets`),
      await ask("PATCH", path, { body: { instructions: ["planted-instructions-3"] } }),
      await ask("PUT", `/vault${path}/secrets/two`, {
        body: { ...vaulted, value: ["planted-secret-2"] }
      }),
      await create({ name, instructions: "planted-instructions-4", vault_id: "planted-vault-1" })
    )
  }
  // A failure is final, a fault is tried again.
  const [failing = "", faulty = ""] = ids
  await until(failing, "failed")
  const failed = await ask("GET", `/interns/${failing}`)
  expect(property(failed.body, "last_failure_message")).toMatch(/^Quoting: it broke: /)
  answers.push(failed)
  await expect.poll(() => logs.join("\n"), { timeout: 60_000 }).toContain("has a fault")
  answers.push(await ask("GET", `/interns/${faulty}`))
  const audited = await ask("GET", "/signalbox/audit?limit=100", { key: keys.management })
  const elsewhere = [
    await box.metrics(),
    JSON.stringify(await box.health()),
    ...(await Promise.all(
      Object.values(neighbours).flatMap(({ key }) =>
        ["/interns", "/vault/secrets"].map(async (path) => (await ask("GET", path, { key })).text)
      )
    ))
  ].join("\n")
  await box.close()

  // Whoever looks finds something.
  expect(logs.join("\n")).toContain("a step of a host begins")
  expect(audited.text).toContain("planted-instructions-1")
  expect(audited.text).toContain("vault.secret.put")

  expect(answers.flatMap(({ text }) => ofSecrets(text))).toEqual([])
  // Who is told what is wrong with a body is not told what was in it.
  const refused = answers.filter(({ status }) => status >= 400)
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400])
  expect(refused.flatMap(({ text }) => found(text))).toEqual([])
  expect(ofSecrets(audited.text)).toEqual([])
  expect(found(logs.join("\n"))).toEqual([])
  expect(
    spans.flatMap(({ attributes, name, status }) =>
      found(inspect([name, status, [...attributes]], { depth: 12 }))
    )
  ).toEqual([])
  expect(found(elsewhere)).toEqual([])
})
