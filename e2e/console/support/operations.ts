/** What the pages of spending, jobs, presets, interns and keys show: limits, video jobs, deliveries, presets, interns, and changes. */
import { createServer } from "node:http"
import { defaultWorkspaceId, type Options, type Signalbox as Instance } from "@signalbox/core"
import { JobStore } from "@signalbox/core/stores"
import {
  type InternHost,
  InternHostFailure,
  type Upstream,
  UpstreamFailure
} from "@signalbox/core/upstream"
import { listen } from "@signalbox/testing/contracts"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { hostile } from "./consoleInstance.ts"
import { getProperty } from "../../support/getProperty.ts"
import { waitUntil } from "../../support/waitUntil.ts"

const memberKey = "sk-console-operations-member"
const managementKey = "sk-console-operations-management"

/** The prompt decides what becomes of a job. */
const studio: Upstream = {
  slug: "studio",
  name: hostile,
  videos: {
    submit: ({ idempotencyKey, prompt }) =>
      prompt === "refuse"
        ? Effect.fail(new UpstreamFailure({ kind: "bad_request", status: 400, detail: hostile }))
        : Effect.succeed({
            upstreamId: idempotencyKey,
            report:
              prompt === "wait"
                ? { status: "in_progress" as const }
                : prompt === "fail"
                  ? { status: "failed" as const, kind: "server_error" as const, message: hostile }
                  : { status: "completed" as const, outputs: [{ index: 0 }] as const }
          }),
    poll: () => Effect.succeed({ status: "in_progress" as const }),
    cancel: () => Effect.void,
    getContent: () =>
      Effect.succeed({
        contentType: "video/mp4",
        bytes: Stream.succeed(Uint8Array.of(1, 2, 3)),
        length: 3,
        contentRange: undefined,
        acceptsRanges: false
      }),
    estimateWorstCase: () => ({ videos: 1 }),
    pollIntervalMillis: 60_000
  }
}

/** Fails for good while it creates the intern `broken`. */
const internHost: InternHost = {
  slug: "scripted",
  steps: [
    {
      label: hostile,
      run: ({ name }) =>
        name === "broken"
          ? Effect.fail(new InternHostFailure({ problem: hostile, isFinal: true }))
          : Effect.void
    }
  ],
  suspend: () => Effect.void,
  destroy: () => Effect.void
}

export const operationsOptions = {
  upstreams: [studio],
  models: [
    {
      id: "demo/film",
      card: { architecture: { input_modalities: ["text"], output_modalities: ["video"] } },
      endpoints: [{ provider: "studio", price: { prompt: "0", completion: "0" } }]
    }
  ],
  keys: [
    { key: memberKey, kind: "member", user: "ada", name: hostile, limit: 5 },
    { key: managementKey, kind: "management" }
  ],
  bundles: { basic: {} },
  credits: { default: "100" },
  interns: { host: internHost },
  sealing: { current: "k1", keys: { k1: "a sealing key that nobody is going to guess" } },
  settings: { allowPrivateNetworks: true, jobPollMillis: 10 }
} satisfies Partial<Options>

/** More than one page of them. */
const many = 12

/** Fills the instance, and returns what receives its events. */
export const fillOperations = async (instance: Instance): Promise<AsyncDisposable> => {
  const ask = async (method: string, path: string, body?: unknown, key = managementKey) => {
    const response = await instance.fetch(
      new Request(`http://console.test/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: body === undefined ? null : JSON.stringify(body)
      })
    )
    const json: unknown = await response.json()
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(json)}`)
    return json
  }
  const make = async (path: string, body: unknown): Promise<string> =>
    String(getProperty(getProperty(await ask("POST", path, body), "data"), "id"))
  const receiver = await startReceiver()

  const path = `/workspaces/${defaultWorkspaceId}`
  await ask("PUT", `/signalbox${path}/webhook`, { callback_url: receiver.url })
  await ask("PUT", `${path}/budgets/monthly`, { limit_usd: 50 })
  await make("/workspaces", { name: hostile.slice(0, 90), slug: "hostile" })
  const guardrail = await make("/guardrails", {
    name: hostile,
    workspace_id: defaultWorkspaceId,
    limit_usd: 0.001,
    reset_interval: "daily"
  })
  await ask("POST", `/guardrails/${guardrail}/assignments/members`, { member_user_ids: ["ada"] })
  for (let at = 0; at < many * 2; at++) await ask("POST", "/keys", { name: `team ${at}` })

  await ask("PATCH", path, { keep_content: true })
  for (const seed of [1, 2]) {
    await ask("POST", "/presets/calm/chat/completions", {
      model: "demo/model",
      messages: [
        { role: "system", content: hostile },
        { role: "user", content: "-" }
      ],
      seed
    })
  }
  await ask("PATCH", "/signalbox/presets/calm", { name: hostile, description: hostile })
  await instance.chat({ model: "@preset/calm", messages: [{ role: "user", content: hostile }] })

  const film = (prompt: string) => ask("POST", "/videos", { model: "demo/film", prompt }, memberKey)
  for (let at = 0; at < many; at++) await film("show")
  for (const prompt of ["fail", "refuse", "wait", "wait", "wait", "wait"]) await film(prompt)
  for (const name of ["runner", "broken"]) {
    await ask(
      "POST",
      "/interns",
      { name, workspace_id: defaultWorkspaceId, provision: true },
      memberKey
    )
  }
  await Effect.runPromise(
    Context.get(instance.context, JobStore).deadLetter({
      kind: "videos.submit",
      id: hostile,
      key: "dead-submit",
      payload: {},
      attempts: 3,
      reason: hostile,
      at: Date.UTC(2026, 10, 1)
    })
  )
  const isOver = async (): Promise<boolean> => {
    const [jobs, interns, deliveries] = await Promise.all([
      ask("GET", "/signalbox/videos?status=pending"),
      ask("GET", "/interns?status=queued,provisioning", undefined, memberKey),
      ask("GET", "/signalbox/deliveries?limit=100")
    ])
    const attempted = getProperty(deliveries, "data") as ReadonlyArray<unknown>
    return (
      getProperty(jobs, "total_count") === 0 &&
      (getProperty(interns, "data") as ReadonlyArray<unknown>).length === 0 &&
      attempted.length >= many &&
      attempted.every((delivery) => getProperty(delivery, "last_attempt") !== null)
    )
  }
  await waitUntil(isOver, "the jobs of the console's instance do not end")
  return { [Symbol.asyncDispose]: receiver.close }
}

/** Rejects the first attempt of each event. */
const startReceiver = async () => {
  const known = new Set<string>()
  const { close, origin } = await listen(
    createServer((request, response) => {
      request.resume().on("end", () => {
        const id = String(request.headers["webhook-id"])
        response.writeHead(known.has(id) ? 204 : 500).end()
        known.add(id)
      })
    })
  )
  return { url: `${origin}/`, close }
}
